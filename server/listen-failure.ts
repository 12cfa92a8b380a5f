const BY_CODE: Readonly<Record<string, string>> = {
  EADDRINUSE: "it is in use, perhaps by another server; choose another port, or 0 for any free one",
  EACCES: "this user may not use it; choose a port from 1024 on",
  EADDRNOTAVAIL: "this machine has no such address",
  ENOTFOUND: "there is no host of that name",
};

/** Why an address can't be listened at, and what to do. */
export function listenFailure(e: unknown): string {
  const { code = "", message } = e as NodeJS.ErrnoException;
  return BY_CODE[code] ?? message;
}

declare module "fs-native-extensions" {
  /** Locks bytes of an open file for this opening of it. @returns false when they are locked by another */
  export function tryLock(fd: number, offset?: number, length?: number): boolean;
}

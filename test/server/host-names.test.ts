import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { allowedHost, HostNames, isWildcard, Proxies } from "../../server/host-names.js";

describe("a name that a server is asked under", () => {
  const names = new HostNames("127.0.0.1", ["Play.Example.org", "fd00::7", "bücher.example"]);
  const asked = (host: string, localAddress = "127.0.0.1"): boolean =>
    names.answer({ host, secure: false, from: "" }, { localAddress, localPort: 7558 });

  it.each(["127.0.0.1:7558", "localhost:7558", "LOCALHOST:7558", "[::1]:7558", "[0:0::1]:7558"])(
    "is its own at its own port: %s",
    (host) => expect(asked(host)).toBe(true),
  );

  it.each([
    "play.example.org",
    "play.example.org:443",
    "PLAY.example.org:8080",
    "[fd00::7]:1",
    "xn--bcher-kva.example",
  ])("is allowed at any port: %s", (host) => expect(asked(host)).toBe(true));

  it.each([
    ...["", "127.0.0.1", "localhost:7559", "example.org", "xplay.example.org", "play.example.org.evil.example"],
    ...["play.example.org:7558:1", "play.example.org:", "a@play.example.org", "play.example.org/", "[::1", "::1:7558"],
    ...["192.0.2.7:7558", "play.example.org:80 ", "play.example.org:999999"],
  ])("is of another server: %j", (host) => expect(asked(host)).toBe(false));

  it("is the address that the client has reached", () => {
    expect(asked("192.0.2.7:7558", "192.0.2.7")).toBe(true);
    expect(asked("192.0.2.7:7558", "::ffff:192.0.2.7")).toBe(true);
    expect(asked("[2001:db8::7]:7558", "2001:db8::7")).toBe(true);
    expect(asked("192.0.2.7:80", "192.0.2.7")).toBe(false);
  });

  it("has port 443 by TLS and 80 without, where none is named", () => {
    const here = { localAddress: "127.0.0.1", localPort: 443 };
    expect(names.answer({ host: "localhost", secure: true, from: "" }, here)).toBe(true);
    expect(names.answer({ host: "localhost", secure: false, from: "" }, here)).toBe(false);
  });

  it("is loopback too where a server listens everywhere", () => {
    const everywhere = new HostNames("0.0.0.0", ["play.example.org"]);
    const here = { localAddress: "127.0.0.1", localPort: 7558 };
    expect(everywhere.answer({ host: "localhost:7558", secure: true, from: "" }, here)).toBe(true);
  });
});

describe("a site whose pages may call", () => {
  const names = new HostNames("127.0.0.1", ["play.example.org"]);
  const trusts = (host: string, origin: string | undefined, secure = false): boolean =>
    names.trust({ host, secure, from: "" }, origin);

  it.each([
    ["127.0.0.1:7558", undefined],
    ["127.0.0.1:7558", "http://127.0.0.1:7558"],
    ["play.example.org", "https://play.example.org"],
    ["play.example.org", "https://play.example.org:8443"],
    ["127.0.0.1:7558", "https://play.example.org"], // a proxy that names the server in its own way
  ])("asks %s from %s", (host, origin) => expect(trusts(host, origin)).toBe(true));

  it.each([
    ["127.0.0.1:7558", "https://127.0.0.1:7558"],
    ["127.0.0.1:7558", "http://127.0.0.1:7559"],
    ["127.0.0.1:7558", "null"],
    ["127.0.0.1:7558", ""],
    ["play.example.org", "https://evil.example"],
    ["play.example.org", "https://play.example.org.evil.example"],
    ["play.example.org", "https://evil.example/play.example.org"],
    ["play.example.org", "chrome-extension://play.example.org"],
  ])("doesn't ask %s from %s", (host, origin) => expect(trusts(host, origin)).toBe(false));
});

describe("a name on the command line", () => {
  it.each([
    ["play.example.org", "play.example.org"],
    ["Play.Example.ORG", "play.example.org"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["192.0.2.7", "192.0.2.7"],
    ["fd00:0::7", "[fd00::7]"],
    ["[fd00::7]", "[fd00::7]"],
  ])("%s is %s in a browser", (text, name) => expect(allowedHost(text)).toBe(name));

  it.each([
    ["https://play.example.org/kessel", "give play.example.org, without scheme, port and path"],
    ["play.example.org:443", "give play.example.org, without scheme, port and path"],
    ["[fd00::7]:443", "give [fd00::7], without"],
    ["", "is no name of a host"],
    ["*", "is no name of a host"],
    ["*.example.org", "is no name of a host"],
    ["0.0.0.0", "is no name of a host"],
    ["[::]", "is no name of a host"],
    ["a b", "is no name of a host"],
  ])("%j is refused: %s", (text, why) => expect(() => allowedHost(text)).toThrow(why));

  it.each(["0.0.0.0", "::", "0::0", "0", "::ffff:0.0.0.0"])("%s listens everywhere", (host) =>
    expect(isWildcard(host)).toBe(true),
  );
  it.each(["127.0.0.1", "::1", "localhost", "example.org", "192.0.2.7"])("%s doesn't", (host) =>
    expect(isWildcard(host)).toBe(false),
  );
});

describe("what a proxy says of a client", () => {
  const proxies = new Proxies(["127.0.0.1", "10.0.0.0/8", "fd00::/16"]);
  const call = (remoteAddress: string, headers: Record<string, string>) =>
    proxies.call({ headers: { host: "inner:7558", ...headers }, socket: { remoteAddress } } as IncomingMessage, false);
  const forwarded = {
    "x-forwarded-host": "play.example.org",
    "x-forwarded-proto": "https",
    "x-forwarded-for": "198.51.100.9",
  };

  it.each(["127.0.0.1", "::ffff:127.0.0.1", "10.1.2.3", "fd00::9"])("counts from a listed one: %s", (address) => {
    expect(call(address, forwarded)).toEqual({ host: "play.example.org", secure: true, from: "198.51.100.9" });
  });

  it.each(["127.0.0.2", "11.0.0.1", "fd01::9", "::1"])("is ignored from others: %s", (address) => {
    expect(call(address, forwarded)).toEqual({ host: "inner:7558", secure: false, from: address });
  });

  it("is what the listed proxy itself has added, behind what it was sent", () => {
    const sent = {
      "x-forwarded-host": "forged.example, play.example.org",
      "x-forwarded-proto": "https, http",
      "x-forwarded-for": "1.2.3.4, 198.51.100.9, 10.0.0.3",
    };
    expect(call("127.0.0.1", sent)).toEqual({ host: "play.example.org", secure: false, from: "198.51.100.9" });
  });

  it("is nothing where it says nothing", () => {
    expect(call("127.0.0.1", {})).toEqual({ host: "inner:7558", secure: false, from: "127.0.0.1" });
  });

  it.each(["localhost", "10.0.0.0/33", "fd00::/129", "10.0.0", "", "1.2.3.4:80"])("can't come from %j", (text) =>
    expect(() => new Proxies([text])).toThrow("is no address of a proxy: give that from which it connects"),
  );
});

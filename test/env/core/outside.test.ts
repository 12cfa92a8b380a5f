import { describe, expect, it } from "vitest";
import { KesselError, shown } from "../../../env/core/errors.js";
import { printable, shownName, withoutSecrets } from "../../../env/core/safe-text.js";
import { growth } from "../../growth.js";

describe("text from outside", () => {
  it("has nothing that a terminal obeys", () => {
    expect(printable("\u001b[2J\u009b31m\u0007\u0008\u007f\r")).toBe(
      "\\u001b[2J\\u009b31m\\u0007\\u0008\\u007f\\u000d",
    );
  });

  it("turns no other text round", () => {
    expect(printable("a\u202etxt.exe\u2066\u200f")).toBe("a\\u202etxt.exe\\u2066\\u200f");
  });

  it("keeps letters, lines and tabs", () => {
    const text = "Сталинград Ä 🎲 é\n\ttwo";
    expect(printable(text)).toBe(text);
  });

  it("stays the JSON that it was", () => {
    const doc = { name: "\u001b[2J\u009b\u202e\u007f\u2028" };
    expect(JSON.parse(printable(JSON.stringify(doc)))).toEqual(doc);
  });

  it("is one line where it is a name", () => {
    expect(shownName("a.json\nb.json  12 decisions\tx\u001b")).toBe("a.json\\u000ab.json  12 decisions\\u0009x\\u001b");
  });
});

describe("addresses", () => {
  it.each([
    ["llm:http://user:PASS@host:8000/v1,model=x", "llm:http://***@host:8000/v1,model=x"],
    ["https://PASS@host/", "https://***@host/"],
    ["http://user:PA@SS@host/v1", "http://***@host/v1"],
    ["http://user:PA/SS@host/v1", "http://***@host/v1"],
    ["http://user:12/PASS:x@host", "http://user:12/PASS:x@host"], // as URLs have it, a port and a path
    ["tcp://user:PASS@127.0.0.1:7557", "tcp://***@127.0.0.1:7557"],
    ["http://host/v1?api_key=PASS&x=1", "http://host/v1?api_key=***&x=1"],
    ["http://host/v1?x=1&access-token=PASS", "http://host/v1?x=1&access-token=***"],
    ["one http://a:PASS@b two http://c:PASS@d", "one http://***@b two http://***@d"],
  ])("%s is shown as %s", (text, told) => expect(withoutSecrets(text)).toBe(told));

  it.each([
    "http://127.0.0.1:8000/v1,model=me@home",
    "http://[::1]:8000/v1,model=me@home",
    "https://example.org/@user/x?page=2&keys=3",
    "tcp://[::1]:7557",
    "user@example.org: key=x",
  ])("%s has no secret", (text) => expect(withoutSecrets(text)).toBe(text));

  it.each(["a://", "a://b:", "://@", "a://b:1:", "?key=", "?a-key_", "a.a-a+", "a://a:a@"])(
    "takes time linear in its length where it has %s again and again",
    (part) => {
      expect(growth((n) => withoutSecrets(`x://${part.repeat(n / part.length)}`), 200_000)).toBeLessThan(40);
    },
  );
});

describe("an error about an address", () => {
  const long = `http://user:PASS${"x".repeat(200)}@host/v1`;

  it.each([long, "http://user:PASS@host/v1"])("says nothing of its password: %s", (address) => {
    for (const says of [shown(address), shown({ at: address }), new KesselError("bad-agent", `not ${address}`).message])
      expect(says).not.toContain("PASS");
  });
});

import { expect, test } from "vitest";
import { Pool } from "../../../training/report/pool.js";

const MODULE = new URL("./mortal-worker.ts", import.meta.url);

test("tasks of a thread that dies at work fail, with those of the others and all later ones", async () => {
  const pool = new Pool<string, string>(2, MODULE, null);
  expect(await pool.run("answer")).toBe("answer");
  const slow = pool.run("slow").catch((e: unknown) => String(e));
  await expect(pool.run("die")).rejects.toThrow(/a worker thread has ended/);
  expect(await slow).toMatch(/a worker thread has ended/);
  await new Promise((done) => setTimeout(done, 400)); // the other thread answers what nobody waits for
  expect(pool.failed).toBe(true);
  await expect(pool.run("answer")).rejects.toThrow(/a worker thread has ended/);
  await pool.close();
});

test("a thread that dies between two tasks leaves nobody waiting", async () => {
  const pool = new Pool<string, string>(1, MODULE, null);
  expect(await pool.run("die later")).toBe("die later");
  await expect.poll(() => pool.failed).toBe(true);
  await expect(pool.run("answer")).rejects.toThrow(/a worker thread has ended/);
  await pool.close();
});

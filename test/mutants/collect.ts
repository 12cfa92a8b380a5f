import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";

// within vitest itself they are there already
if (!("toHaveLength" in chai.Assertion.prototype))
  for (const matchers of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(matchers);

/** Something that passes or fails: a rule case or a test. */
export interface Proof {
  /** The case's id, or the test's file and name. */
  readonly id: string;
  readonly isTest: boolean;
  /** What it cites; a test without rules may have other words here. */
  readonly rules: readonly string[];
  /** @throws what the test throws when it fails */
  run(): void;
}

/** A test uses what only vitest itself has: it can't be run for a mutant, and is left out. */
export class NeedsVitest extends Error {}

const needsVitest = (what: string) => (): never => {
  throw new NeedsVitest(what);
};

type Run = (...values: unknown[]) => unknown;

/** Options of a test, as vitest has them. Those that are skipped are left out here as well. */
interface Options {
  readonly skip?: boolean;
}

/** The words before the colon of a test's name, where `rule("PS Area 3", ...)` writes rule ids. */
const rulesOf = (name: string): string[] => /^([^:]+): /.exec(name)?.[1]?.split(", ") ?? [];

/** Stands in the place of `vitest` for test files that are evaluated in this process, and collects their tests. */
export class Collector {
  private readonly names: string[] = [];
  private tests: Proof[] = [];

  /** What test files import as `vitest`. */
  readonly vitest = {
    expect: chai.expect,
    vi: new Proxy({}, { get: (_, name) => needsVitest(`vi.${String(name)}`) }),
    beforeAll: needsVitest("beforeAll"),
    beforeEach: needsVitest("beforeEach"),
    afterAll: needsVitest("afterAll"),
    afterEach: needsVitest("afterEach"),
    describe: Object.assign((name: string, run: Run) => this.within(name, run), {
      each: this.each((name, _, run) => this.within(name, run)),
    }),
    test: this.define(),
    it: this.define(),
  };

  /** Tests of a file, which `load` evaluates. */
  of(file: string, load: () => void): Proof[] {
    this.tests = [];
    this.names.length = 0;
    load();
    return this.tests.map((t) => ({ ...t, id: `${file} > ${t.id}` }));
  }

  /** As vitest's `test`. */
  private define() {
    const add = (name: string, options: Options, run: Run) => this.add(name, options, run);
    return Object.assign(
      (name: string, first: Options | Run, second?: Run) =>
        typeof first === "function" ? add(name, {}, first) : add(name, first, second!),
      { each: this.each(add) },
    );
  }

  private within(name: string, run: Run): void {
    this.names.push(name);
    run();
    this.names.pop();
  }

  private add(name: string, { skip = false }: Options, body: Run): void {
    if (skip) return;
    const run = (): void => {
      if (body() instanceof Promise) throw new NeedsVitest("await");
    };
    this.tests.push({ id: [...this.names, name].join(" > "), isTest: true, rules: rulesOf(name), run });
  }

  /** Options may precede the body of a test. */
  private each(define: (name: string, options: Options, run: Run) => void) {
    return (rows: readonly unknown[]) =>
      (name: string, first: Options | Run, second?: Run): void => {
        const [options, run] = typeof first === "function" ? [{}, first] : [first, second!];
        rows.forEach((row, i) => {
          const values = Array.isArray(row) ? (row as unknown[]) : [row];
          define(`${filled(name, values)} [${i + 1}]`, options, () => run(...values));
        });
      };
  }
}

/** The name of a test of a table: `$key` of an object, `%s` and `%j` of values in order. */
function filled(name: string, values: readonly unknown[]): string {
  let next = 0;
  const short = (v: unknown): string => (typeof v === "string" ? v : (JSON.stringify(v) ?? String(v))).slice(0, 60);
  return name
    .replace(/\$(\w+)/g, (all, key: string) => {
      const value = (values[0] as Record<string, unknown> | null)?.[key];
      return value === undefined ? all : short(value);
    })
    .replace(/%[sjdio]/g, (all) => (next < values.length ? short(values[next++]) : all));
}

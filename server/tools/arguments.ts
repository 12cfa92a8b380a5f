import { z } from "zod";
import { KesselError, oneOf, pathText, shown } from "../../env/index.js";

/**
 * The arguments of a tool, with defaults. The first fault becomes one sentence: which argument, what came, what would
 * do.
 *
 * @throws KesselError `bad-message`
 */
export function readArguments<S extends z.ZodRawShape>(
  tool: string,
  schema: z.ZodObject<S>,
  given: Readonly<Record<string, unknown>>,
): z.infer<z.ZodObject<S>> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const { issues } = result.error;
  // a misspelt name is missing too: the name that was written says more
  const unknown = issues.find((i) => i.code === "unrecognized_keys")?.keys[0];
  if (unknown !== undefined) {
    const [last, ...others] = Object.keys(schema.shape).reverse();
    const takes = others.length === 0 ? (last ?? "none") : `${others.reverse().join(", ")} and ${last!}`;
    throw new KesselError("bad-message", `${tool} has no argument ${shown(unknown)}; it takes ${takes}`);
  }
  const { path, code } = issues[0]!;
  let type: z.core.$ZodType = schema.shape[String(path[0])]!;
  const about = z.globalRegistry.get(type)?.description;
  let value: unknown = given;
  for (const [depth, key] of path.entries()) {
    value = (value as Record<PropertyKey, unknown>)[key];
    if (depth > 0) type = valuesOf(type);
  }
  const wanted = kindOf(type);
  const long = typeof value === "string" && (code === "too_big" || code === "too_small");
  const came = long ? `of ${(value as string).length}` : shown(value);
  const says = value === undefined ? `is missing; it is ${wanted}` : `is ${wanted}, not ${came}`;
  const what = about === undefined ? "" : ` (${about})`;
  throw new KesselError("bad-message", `${tool}: ${pathText(path)} ${says}${what}`);
}

/** What an argument is, in words. */
const kindOf = (type: z.core.$ZodType): string => oneOf(kindsOf(type));

function kindsOf(type: z.core.$ZodType): string[] {
  const inner = bare(type);
  if (inner instanceof z.ZodEnum) return inner.options.map(String);
  if (inner instanceof z.ZodBoolean) return ["true", "false"];
  if (inner instanceof z.ZodUnion) return inner.options.flatMap(kindsOf);
  if (inner instanceof z.ZodRecord) return [`an object with ${kindOf(inner.valueType)} for each name`];
  if (inner instanceof z.ZodNumber)
    return [inner.isInt ? `a whole number from ${inner.minValue} to ${inner.maxValue}` : "a number"];
  const { minLength: least, maxLength: most } = inner as z.ZodString;
  if (most === null) return ["a text"];
  return [`a text of ${least === null ? "at most" : `${least} to`} ${most} characters`];
}

/** Without what makes it optional. */
function bare(type: z.core.$ZodType): z.core.$ZodType {
  return type instanceof z.ZodOptional || type instanceof z.ZodDefault ? bare(type.unwrap()) : type;
}

function valuesOf(type: z.core.$ZodType): z.core.$ZodType {
  const inner = bare(type);
  return inner instanceof z.ZodRecord ? inner.valueType : inner;
}

import { brotliCompressSync, constants } from "node:zlib";

/** One file that browsers get, with its compressed form. */
export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly brotli: Buffer | null;
  /** Never changes under this name. */
  readonly forever: boolean;
}

/** A file of text. */
export const textAsset = (type: string, body: Buffer, forever: boolean): Asset => ({
  type,
  body,
  brotli: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }),
  forever,
});

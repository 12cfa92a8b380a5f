import { brotliCompressSync, constants } from "node:zlib";

/** One file that browsers get, with its compressed form. */
export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly brotli: Buffer | null;
  /** Never changes under this name. */
  readonly forever: boolean;
}

/**
 * A file of text.
 *
 * @param quality of its compression, up to 11: what is made once and kept may take longer
 */
export const textAsset = (type: string, body: Buffer, forever: boolean, quality = 7): Asset => ({
  type,
  body,
  brotli: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
  forever,
});

import { createPrivateKey, generateKeyPairSync, randomBytes, X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { dirname } from "node:path";
import forge from "node-forge";

/** A certificate and its key, PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const DAY = 86_400_000;
/** Days that it holds; browsers take none that holds longer than 398. */
const DAYS = 397;
/** With less left a new one is made. */
const LEAST_DAYS = 30;

/** What to compare, as browsers show it. */
export const fingerprintOf = ({ cert }: Certificate): string => new X509Certificate(cert).fingerprint256;

/**
 * A self-signed certificate for names and addresses. It is kept, so that browsers ask about it once.
 *
 * @param file holds it with its key
 */
export function certificateFor(names: readonly string[], file: string): Certificate {
  const kept = keptIn(file);
  if (kept !== null && holdsFor(kept, names)) return kept;
  const made = make(names);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, `${made.key}${made.cert}`, { mode: 0o600 });
    renameSync(draft, file); // whole at once
  } catch {
    // the next start makes another one
  }
  return made;
}

function keptIn(file: string): Certificate | null {
  try {
    const text = readFileSync(file, "utf8");
    const at = text.indexOf("-----BEGIN CERTIFICATE-----");
    return at < 0 ? null : { key: text.slice(0, at), cert: text.slice(at) };
  } catch {
    return null;
  }
}

function holdsFor({ cert, key }: Certificate, names: readonly string[]): boolean {
  try {
    const x509 = new X509Certificate(cert);
    return (
      x509.checkPrivateKey(createPrivateKey(key)) &&
      Date.parse(x509.validTo) - Date.now() > LEAST_DAYS * DAY &&
      names.every((name) => (isIP(name) === 0 ? x509.checkHost(name) : x509.checkIP(name)) !== undefined)
    );
  } catch {
    return false; // damaged
  }
}

function make(names: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const cert = forge.pki.createCertificate();
  cert.publicKey = forge.pki.publicKeyFromPem(publicKey);
  cert.serialNumber = `01${randomBytes(15).toString("hex")}`; // positive
  cert.validity.notBefore = new Date(Date.now() - DAY); // clocks differ
  cert.validity.notAfter = new Date(Date.now() + (DAYS - 1) * DAY);
  const subject = [{ name: "commonName", value: "Kessel" }];
  cert.setSubject(subject);
  cert.setIssuer(subject);
  cert.setExtensions([
    { name: "basicConstraints", cA: false, critical: true },
    { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
    { name: "extKeyUsage", serverAuth: true },
    {
      name: "subjectAltName",
      altNames: names.map((name) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name })),
    },
  ]);
  cert.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(cert), key: privateKey };
}

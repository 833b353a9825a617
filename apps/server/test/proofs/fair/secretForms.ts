/** Is something that a server has shown or kept, with a name for the report. */
export type Shown = { where: string; bytes: Buffer };

/** Returns the ways in which 32 secret bytes may be written. */
function formsOf(secret: Buffer): Map<string, Buffer> {
  const hex = secret.toString('hex');
  const list = [...secret].join(',');
  return new Map(
    Object.entries({
      hex,
      'hex in capitals': hex.toUpperCase(),
      // The last characters depend on what follows.
      base64: secret.toString('base64').slice(0, 42),
      base64url: secret.toString('base64url').slice(0, 42),
      'a list of bytes': list,
      'base64 of the hex digits': Buffer.from(hex).toString('base64').slice(0, 84),
    })
      .map(([name, text]): [string, Buffer] => [name, Buffer.from(text)])
      .concat([['raw bytes', secret]]),
  );
}

/** Returns where a secret is, and in which form. */
export function findSecrets(secrets: readonly Buffer[], shown: readonly Shown[]): string[] {
  return secrets.flatMap((secret, place) =>
    [...formsOf(secret)].flatMap(([form, bytes]) =>
      shown
        .filter((each) => each.bytes.includes(bytes))
        .map(({ where }) => `server seed ${place}, ${form}: in ${where}`),
    ),
  );
}

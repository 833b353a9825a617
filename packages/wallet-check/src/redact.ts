export type Redact = (text: string) => string;

/** Replaces every secret by its name, also where it stands inside JSON. The names are keys, the secrets values. */
export function redactor(secrets: Readonly<Record<string, string | undefined>>): Redact {
  const pairs = Object.entries(secrets)
    .flatMap(([name, secret]) =>
      secret ? [secret, JSON.stringify(secret).slice(1, -1)].map((each) => [each, name] as const) : [],
    )
    // A secret that holds another one goes first, whole.
    .sort(([one], [other]) => other.length - one.length);
  return (text) => pairs.reduce((rest, [secret, name]) => rest.replaceAll(secret, `<${name}>`), text);
}

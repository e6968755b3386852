export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** What no field expects. */
export const hostile: readonly Json[] = [
  { toString: 1 },
  { toString: null, valueOf: null },
  { toJSON: 1, length: 1e9 },
  JSON.parse('{"__proto__":{"toString":1},"constructor":{"name":1}}') as Json,
  [{ toString: 1 }],
  [],
  {},
  null,
  '',
  '__proto__',
  'constructor',
  'toString',
  '\ud800',
  '10/7',
  Number.MAX_SAFE_INTEGER,
  1e308,
  -1,
  0.5,
  true,
]

/** Every place in a body, as the names that lead there. */
export const placesIn = (
  value: Json,
  at: readonly string[] = [],
): readonly (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? [
        ...(at.length > 0 ? [at] : []),
        ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...at, name])),
      ]
    : [at]

export function withAt(value: Json, [name, ...more]: readonly string[], put: Json): Json {
  if (name === undefined) return put
  if (Array.isArray(value))
    return (value as readonly Json[]).map((each, at) =>
      String(at) === name ? withAt(each, more, put) : each,
    )
  const fields = value as { readonly [name: string]: Json }
  return { ...fields, [name]: withAt(fields[name] ?? null, more, put) }
}

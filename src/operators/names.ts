/** The one spelling of a name; null where it is none. */
export function operatorName(text: string): string | null {
  const name = text.trim().toLowerCase()
  return /^[a-z0-9][a-z0-9._-]{0,39}$/.test(name) ? name : null
}

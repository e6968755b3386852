const longestChars = 300

/** What must not leave: addresses, keys, organisations, people. Order matters: URLs hold the rest. */
const secrets = [
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi,
  /\b[\w.+-]+@[\w-]+\.[\w.-]+/g,
  /\b(?:bearer|token|basic)\s+[\w.~+/=-]{8,}/gi,
  /\b(?:sk|pk|rk|gsk|xai|key|org|proj|user|acct|req|file)[-_][\w*.-]{4,}/gi,
  // Anything long that is half digits, such as keys of any vendor.
  /\b(?=[\w*-]*\d)(?=[\w*-]*[A-Za-z*])[\w*-]{20,}/g,
]

/** A vendor's own words, shortened and without anything that is ours or its own. */
export function scrub(text: string): string {
  let clean = text.slice(0, longestChars * 4)
  for (const secret of secrets) clean = clean.replace(secret, '…')
  clean = clean.replace(/\s+/g, ' ').trim()
  return clean.length > longestChars ? `${clean.slice(0, longestChars - 1)}…` : clean
}

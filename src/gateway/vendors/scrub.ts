const maxChars = 300
/** Nothing further back can reach the shortened text unless it is made of secrets. */
const readChars = 2400

const hidden = '…'

/** Patterns of secrets and personal data: addresses, people, and what a label calls a secret. */
const forms = [
  /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>]+/gi,
  /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]+/g,
  /\b(?:api[-_ ]?keys?|secret|password|credentials?|access[-_ ]token)(?: provided)?\s*[:=]\s*["']?[^\s"']+/gi,
  /\b(?:bearer|basic)\s+[\w.~+/=-]{6,}/gi,
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi,
  // A host without a scheme, with whatever path follows.
  /\b(?:[a-z0-9-]{1,63}\.){1,8}(?:com|net|org|ai|io|dev|co|cn|app|cloud|tech|local|internal)\b(?::\d+)?(?:\/[^\s"'<>]*)?/gi,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?|\[[0-9a-f:]*:[0-9a-f:]+\](?::\d+)?|\blocalhost(?::\d+)?/gi,
]

/** Whatever may be a key or an id: one run of the letters that such things are made of. */
const run = /[\w*+=~/.-]{6,}/g

/** Keys as their makers mark them, wherever they stand. */
const keyMark =
  /(?:^|[^a-z])(?:sk|pk|rk|gsk|xai|csk|fw|hf|tgp|pplx|nvapi|sess|AKIA|AIza|eyJ)(?:[-_]|(?<=AKIA|AIza|eyJ))[\w*.-]{3,}/i
/** Ids of accounts; words such as `user_location` begin alike. */
const idMark = /(?:^|[^a-z])(?:org|proj|team|user|acct|req|file|key)[-_]([\w*-]{4,})/i
const longRun = 20

/** A part of a name that people made up: a word, a number, a version, such as `gpt-4o-2024-08-06`. */
const wordOrNumber =
  /^(?:[A-Z]?[a-z]{0,15}|[A-Z]{1,12}|[a-z]{1,10}\d{1,3}|v?\d{1,4}[A-Za-z]?|\d{8})$/

function mayBeSecret(text: string): boolean {
  if (text.includes('**') || keyMark.test(text)) return true
  const id = idMark.exec(text)?.[1]
  if (id !== undefined && (/[0-9A-Z*]/.test(id) || id.length >= longRun)) return true
  return (
    text.length >= longRun && !text.split(/[-_./=*+~]/).every((part) => wordOrNumber.test(part))
  )
}

/** A vendor's own words, shortened and without anything that is ours or its own. */
export function scrub(text: string): string {
  // A secret that is cut in two could no longer be told.
  let clean = text.length > readChars ? text.slice(0, readChars).replace(/\S*$/, '') : text
  for (const form of forms) clean = clean.replace(form, hidden)
  clean = clean.replace(run, (each) => (mayBeSecret(each) ? hidden : each))
  clean = clean.replace(/\s+/g, ' ').trim()
  return clean.length > maxChars ? `${clean.slice(0, maxChars - 1)}…` : clean
}

/** A kind of value that differs from run to run, and what is the same of it wherever it stands. */
interface Varying {
  readonly name: string
  readonly pattern: RegExp
}

/** In this order: what has been replaced is not looked at again. */
const varying: readonly Varying[] = [
  { name: 'secret', pattern: /\b(?:sk-[a-z]+-v1|op-v1)-[0-9A-Za-z]{43}\b/g },
  { name: 'prefix', pattern: /\b(?:sk-[a-z]+-v1|op-v1)-[0-9A-Za-z]{6}\b/g },
  { name: 'token', pattern: /(?<=\/setup#|\/look#|ticket=)[\w-]{20,}/g },
  { name: 'sign-in', pattern: /\b\d{13}-[0-9a-f]{12}\b/g },
  { name: 'uuid', pattern: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g },
  { name: 'request', pattern: /\breq_[0-9a-f]{32}\b/g },
  { name: 'notice', pattern: /\bntc_[0-9a-f]{32}\b/g },
  { name: 'payment', pattern: /\bpay_[0-9a-f]{32}\b/g },
  { name: 'video', pattern: /\b(?:vid|video)_[0-9a-f]{32}\b/g },
  { name: 'code', pattern: /\b\d{4}(?:-\d{4}){4}\b/g },
  { name: 'hex', pattern: /\b(?:[0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{16})\b/g },
  { name: 'webhook secret', pattern: /\bwhsec_[\w+/=]{20,}/g },
  { name: 'challenge', pattern: /(?<="(?:challenge|id)":")[\w-]{43,}(?=")/g },
]

/** What differs, but says nothing by being the same elsewhere. */
const plain: readonly (readonly [RegExp, string])[] = [
  // Seen, and kept by whatever converts line ends.
  [/\r/g, '␍'],
  [/\b\d+\.\d+\.\d+ \(from source\)/g, '<version>'],
  [/\b\d+(?:\.\d+)? GB free/g, '<size> free'],
  [/(?<="gigabytes":")[\d.]+(?=")/g, '<size>'],
  [/\.\d+\.partial\b/g, '.<process>.partial'],
  // In the order of hashes, which chance decides.
  [/(?<="examples":)\[[^\]]*\](?=\})/g, '["<in any order>"]'],
  [/(?<="code":"open_files","facts":\{"most":)\d+/g, '"<number>"'],
  [/(?<="pid":)\d+/g, '"<process>"'],
  [/(?<=\bprocess )\d+(?= serves)/g, '<process>'],
  [/at most \d+$/gm, 'at most <number>'],
  [/(?<=\$[\d.]+ +)\d{4}(?= +(?:unused|revoked|redeemed|expired))/g, '<end>'],
  [/(?<=,\d+\.\d{6},)\d{4}(?=,(?:unused|revoked|redeemed|expired),)/g, '<end>'],
  [/(?<="(?:ending|ends_in)":")\d{4}(?=")/g, '<end>'],
  [/(?<=127\.0\.0\.1:|localhost:)\d{4,5}\b/g, '<port>'],
]

const dayMs = 86_400_000
/** Threads go by the clock of the machine: what is of today, or of tomorrow by the end of a run, is theirs. */
const realDays = [0, dayMs].map((ms) => new Date(Date.now() + ms).toISOString().slice(0, 10))
const realMoments = new RegExp(`\\b(?:${realDays.join('|')})(T[\\d:.]+Z| [\\d:]+ UTC)?`, 'g')

/** Replaces what differs from run to run by placeholders, the same one for the same value. */
export function openNormaliser(): (text: string) => string {
  const known = new Map<string, string>()
  const counts = new Map<string, number>()
  const placeholder = (name: string, value: string): string => {
    const kept = known.get(value)
    if (kept !== undefined) return kept
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    known.set(value, `<${name} ${count}>`)
    return `<${name} ${count}>`
  }
  return (text) => {
    let result = text.replaceAll(realMoments, (_, time) =>
      time === undefined ? '<today>' : '<now>',
    )
    for (const { name, pattern } of varying)
      result = result.replaceAll(pattern, (value) => placeholder(name, value))
    for (const [pattern, name] of plain) result = result.replaceAll(pattern, name)
    return result
  }
}

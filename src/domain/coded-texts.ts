/** English texts by their codes, with names of facts in braces. */
type Texts = Readonly<Record<string, string>>

export type FactOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | FactOf<Rest>
  : never

/** A text that was read back. */
interface CodedText<Code extends string> {
  readonly code: Code
  readonly facts: Readonly<Record<string, string>>
}

/**
 * Opens the reader of texts that are kept, or told, in English: the console has each in Persian too, and
 * finds its code by the text, so that those of earlier releases are known.
 */
export function textReader<Code extends string>(texts: Readonly<Record<Code, string>>) {
  const readers = codesOf(texts).map((code) => {
    const text: string = texts[code]
    const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const form = text.replaceAll(/[().]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '(.*)')
    return { code, names, pattern: new RegExp(`^${form}$`, 's') }
  })
  /** @returns null for a text in other words */
  return (text: string): CodedText<Code> | null => {
    for (const { code, names, pattern } of readers) {
      const found = pattern.exec(text)
      if (found === null) continue
      const facts = names.map((name, at) => [name, found[at + 1] ?? ''] as const)
      return { code, facts: Object.fromEntries(facts) }
    }
    return null
  }
}

export const codesOf = <Code extends string>(
  texts: Readonly<Record<Code, string>>,
): readonly Code[] => Object.keys(texts) as Code[]

/** A text with its facts filled in. */
export const filledText = (text: string, facts: Texts): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => facts[name] ?? '')

import { fieldsOf, listOf, textOf, type Fields } from '../../formats/chat/wire'

/** The reference's categories, and a word that the sandbox takes for each. */
const words = {
  hate: 'hate',
  'hate/threatening': 'hate-threat',
  harassment: 'harass',
  'harassment/threatening': 'harass-threat',
  illicit: 'illicit',
  'illicit/violent': 'illicit-violent',
  'self-harm': 'self-harm',
  'self-harm/intent': 'self-harm-intent',
  'self-harm/instructions': 'self-harm-howto',
  sexual: 'sexual',
  'sexual/minors': 'sexual-minors',
  violence: 'violence',
  'violence/graphic': 'gore',
} as const

const names = Object.keys(words) as readonly (keyof typeof words)[]
const sure = 0.98
const unlikely = 0.0001

/** Flags a text that names a category by the word for it, and nothing else. */
export function moderationsReply({ input, model }: Fields): string {
  const list = listOf(input)
  const parts = list.map(fieldsOf)
  const together = typeof list[0] === 'object'
  const texts =
    typeof input === 'string'
      ? [input]
      : together
        ? [parts.map(({ text }) => textOf(text) ?? '').join(' ')]
        : list.map(String)
  const kinds = together ? [...new Set(parts.map(kindOf))] : ['text']
  return JSON.stringify({
    id: 'modr-sandbox',
    model,
    results: texts.map((text) => resultOf(text, kinds)),
  })
}

const kindOf = ({ type }: Fields): string => (type === 'image_url' ? 'image' : 'text')

function resultOf(text: string, kinds: readonly string[]): Fields {
  const said = new Set(text.toLowerCase().split(/[^\p{L}\p{N}-]+/u))
  const found = names.map((name) => said.has(words[name]))
  const by = <T>(value: (at: number) => T) =>
    Object.fromEntries(names.map((name, at) => [name, value(at)]))
  return {
    flagged: found.includes(true),
    categories: by((at) => found[at] === true),
    category_scores: by((at) => (found[at] === true ? sure : unlikely)),
    category_applied_input_types: by(() => kinds),
  }
}

import { fieldsOf, listOf, type Fields } from '../../json/fields'
import { textOf } from '../../formats/chat/wire'
import { RefusedRequest } from './faults'
import type { Steps } from './slices'
import { countTokensInSteps } from './tokens'

/**
 * The reference's categories (openai/openai-openapi `CreateModerationResponse`), and a word that the
 * sandbox takes for each.
 */
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

/** Maximum tokens of a request; more is refused. */
const maxTokens = 32_768
/** Words between two looks at the clock. */
const stepWords = 1024

const names = Object.keys(words) as readonly (keyof typeof words)[]
const sure = 0.98
const unlikely = 0.0001

/**
 * Flags a text that names a category by the word for it, and nothing else.
 * @throws RefusedRequest for more than a real vendor would judge
 */
export function* moderationsReply({ input, model }: Fields): Steps<string> {
  const list = listOf(input)
  const parts = list.map(fieldsOf)
  const together = typeof list[0] === 'object'
  const texts =
    typeof input === 'string'
      ? [input]
      : together
        ? [parts.map(({ text }) => textOf(text) ?? '').join(' ')]
        : list.map(String)
  yield* checkTokens(texts)
  const kinds = together ? [...new Set(parts.map(kindOf))] : ['text']
  const results: Fields[] = []
  for (const text of texts) {
    results.push(yield* resultOf(text, kinds))
    yield
  }
  return JSON.stringify({ id: 'modr-sandbox', model, results })
}

/** @throws RefusedRequest */
function* checkTokens(texts: readonly string[]): Steps<void> {
  let tokens = 0
  for (const text of texts) {
    tokens += yield* countTokensInSteps(text)
    if (tokens > maxTokens)
      throw new RefusedRequest(`The sandbox judges at most ${maxTokens} tokens.`, 'input')
  }
}

const kindOf = ({ type }: Fields): string => (type === 'image_url' ? 'image' : 'text')

function* resultOf(text: string, kinds: readonly string[]): Steps<Fields> {
  const said = new Set<string>()
  let step = stepWords
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}-]+/gu)) {
    said.add(word)
    if (--step > 0) continue
    step = stepWords
    yield
  }
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

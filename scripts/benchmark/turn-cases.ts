/** Large bodies and large answers, of each kind that once held the event loop. */

/** One call. */
export interface TurnCase {
  readonly name: string
  /** Behind the version. */
  readonly path: string
  readonly body: () => string
  /** Vendor's answer; a small one unless told otherwise. */
  readonly answer?: () => string
  /** What it may take above the passthrough. */
  readonly maxMs: number
}

/** Bodies may have 20 MB; what stands around the text fits beside it. */
const most = 20 * 1024 * 1024 - 2000
const small = 50
const large = 100

const filled = (piece: string, bytes = most): string =>
  piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)))
const listed = (count: number, each: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => each(at)).join(',')

const chatBody = (content: string, more = ''): string =>
  `{"model":"bench-model"${more},"messages":[{"role":"user","content":${content}}]}`
const embedBody = (input: string, more = ''): string =>
  `{"model":"bench-vectors","input":${input}${more}}`
const words = '"hello world, this is some text of words "'.slice(1, -1)
const escapedPersian = '\\u0633\\u0644\\u0627\\u0645 '
const code = JSON.stringify('const value = read("name")\n\tif (!value) return\n').slice(1, -1)
const text = (piece: string, bytes?: number): string => `"${filled(piece, bytes)}"`

const chatAnswer = (content: string): string =>
  `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":${content},"refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":9,"total_tokens":18}}`
const probability = (at: number): string =>
  `{"token":" w${at.toString(36)}","logprob":-${at / 7},"bytes":[32,119,${48 + (at % 10)}]`
const probabilities = (bytes: number): string => {
  const token = (at: number) =>
    `${probability(at)},"top_logprobs":[${listed(20, (other) => `${probability(at * 20 + other)}}`)}]}`
  const count = Math.floor(bytes / (token(1000).length + 100))
  return chatAnswer('"hi"').replace(
    '"logprobs":null',
    `"logprobs":{"content":[${listed(count, token)}]}`,
  )
}
const vector = `[${listed(1536, (at) => (Math.sin(at + 1) / 40).toFixed(15))}]`
const base64Vector = `"${Buffer.alloc(1536 * 4, 1).toString('base64')}"`
const vectors = (each: string, count = 2048): string =>
  `{"object":"list","data":[${listed(count, (at) => `{"object":"embedding","index":${at},"embedding":${each}}`)}],"model":"m","usage":{"prompt_tokens":9,"total_tokens":9}}`
const inputs = `[${listed(2048, () => '"a"')}]`
const one = chatAnswer('"hello"')
const oneVector = vectors('[0.5,0.25]', 1)
const million = 1024 * 1024

const chat = (name: string, body: () => string, maxMs = large): TurnCase => ({
  name,
  path: '/chat/completions',
  body,
  answer: () => one,
  maxMs,
})
const answered = (name: string, answer: () => string, maxMs = large): TurnCase => ({
  ...chat(name, () => chatBody('"hi"'), maxMs),
  answer,
})
const streamed = (name: string, content: () => string, maxMs = large): TurnCase => ({
  ...chat(name, () => chatBody('"hi"', ',"stream":true'), maxMs),
  answer: () =>
    `data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":${content()}},"finish_reason":null}]}\n\n` +
    'data: {"id":"x","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":9,"total_tokens":18}}\n\n' +
    'data: [DONE]\n\n',
})
const embed = (name: string, body: () => string, answer = () => oneVector): TurnCase => ({
  name,
  path: '/embeddings',
  body,
  answer,
  maxMs: large,
})

export const turnCases: readonly TurnCase[] = [
  chat('chat, 1 MB of words', () => chatBody(text(words, million)), small),
  chat(
    'chat, 4 MB of a picture',
    () =>
      chatBody(
        `[{"type":"image_url","image_url":{"url":"data:image/png;base64,${filled('iVBORw0KGgo', 4 * million)}"}}]`,
      ),
    small,
  ),
  chat('chat, 4 MB of code', () => chatBody(text(code, 4 * million)), small),
  chat('chat, 4 MB of quotes', () => chatBody(text('\\"', 4 * million)), small),
  chat('chat, 500 messages of 500 parts', () => {
    const parts = listed(500, () => '{"type":"text","text":"a"}')
    return `{"model":"bench-model","messages":[${listed(500, () => `{"role":"user","content":[${parts}]}`)}]}`
  }),
  chat('chat, 200,000 parts', () =>
    chatBody(`[${listed(200_000, () => '{"type":"text","text":"a"}')}]`),
  ),
  chat('chat, 100,000 pictures', () =>
    chatBody(
      `[${listed(100_000, () => '{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}')}]`,
    ),
  ),
  {
    ...chat(
      'messages, 100,000 pictures of nothing',
      () =>
        `{"model":"bench-model","max_tokens":9,"messages":[{"role":"user","content":[${listed(100_000, () => '{"type":"image"}')}]}]}`,
      small,
    ),
    path: '/messages',
  },
  chat('chat, 20 MB of words', () => chatBody(text(words))),
  chat('chat, 20 MB of code', () => chatBody(text(code))),
  chat('chat, 20 MB of escaped Persian', () => chatBody(text(escapedPersian))),
  chat('chat, 20 MB of one letter', () => chatBody(text('x'))),
  chat('chat, 20 MB of quotes', () => chatBody(text('\\"'))),
  chat('chat, 20 MB of base64', () => chatBody(text('aB3/'))),
  chat(
    'chat, 500 messages of 40 KB',
    () =>
      `{"model":"bench-model","messages":[${listed(500, () => `{"role":"user","content":${text(code, 40_000)}}`)}]}`,
  ),
  chat('chat, 445,000 members', () =>
    chatBody('"hi"', `,${listed(490_000, (at) => `"k${at}":1`)}`),
  ),
  chat(
    'chat, 45,000 members',
    () => chatBody('"hi"', `,${listed(45_000, (at) => `"k${at}":1`)}`),
    small,
  ),
  chat('chat, 18 MB of 1.5 M members', () =>
    chatBody(
      '"hi"',
      `,"x":[${listed(300_000, (at) => `{"a${at}":1,"b":22222,"c":{"d":1,"e":"letters of it"}}`)}]`,
    ),
  ),
  chat('chat, 1.3 M stops', () => chatBody('"hi"', `,"stop":[${listed(1_300_000, () => '1')}]`)),
  chat(
    'chat, 150,000 stops of words',
    () => chatBody('"hi"', `,"stop":[${listed(150_000, (at) => `"s${at}"`)}]`),
    small,
  ),
  chat('chat, a model of 20 MB', () => `{"model":"${filled('m')}","messages":[]}`),
  chat('chat, 20 MB of brackets', () => filled('[')),
  {
    ...chat(
      'messages, 20 MB of words',
      () =>
        `{"model":"bench-model","max_tokens":9,"messages":[{"role":"user","content":${text(words)}}]}`,
    ),
    path: '/messages',
  },
  {
    ...chat('responses, 20 MB of code', () => `{"model":"bench-model","input":${text(code)}}`),
    path: '/responses',
  },
  {
    ...chat('completions, 20 MB of words', () => `{"model":"bench-model","prompt":${text(words)}}`),
    path: '/completions',
  },
  {
    ...chat(
      'count_tokens, 20 MB of words',
      () => `{"model":"bench-model","messages":[{"role":"user","content":${text(words)}}]}`,
    ),
    path: '/messages/count_tokens',
  },
  {
    ...chat('moderations, 20 MB of words', () => `{"model":"bench-judge","input":${text(words)}}`),
    path: '/moderations',
    answer: () =>
      '{"id":"x","model":"m","results":[{"flagged":false,"categories":{},"category_scores":{}}]}',
  },
  {
    ...chat(
      'images, a prompt of 20 MB',
      () => `{"model":"bench-pictures","prompt":${text(words)}}`,
    ),
    path: '/images/generations',
    answer: () => pictures(1, 1000),
  },
  embed('embeddings, 20 MB of words', () => embedBody(text(words))),
  embed('embeddings, 300,000 tokens', () =>
    embedBody(`[${listed(300_000, (at) => String(at % 99_999))}]`),
  ),
  embed('embeddings, 900,000 tokens', () =>
    embedBody(`[${listed(900_000, (at) => String(at % 99_999))}]`),
  ),
  embed(
    'embeddings, 39 MB of numbers',
    () => embedBody(inputs),
    () => vectors(vector),
  ),
  embed(
    'embeddings, 17 MB of base64',
    () => embedBody(inputs, ',"encoding_format":"base64"'),
    () => vectors(base64Vector),
  ),
  embed(
    'embeddings, 39 MB of numbers as base64',
    () => embedBody(inputs, ',"encoding_format":"base64"'),
    () => vectors(vector),
  ),
  embed(
    'embeddings, 17 MB of base64 as numbers',
    () => embedBody(inputs),
    () => vectors(base64Vector),
  ),
  {
    ...answered('images, 4 pictures of 5 MB', () => pictures(4, 5 * million)),
    path: '/images/generations',
    body: () => '{"model":"bench-pictures","prompt":"a","n":4}',
  },
  {
    ...answered('images, a picture of 60 MB', () => pictures(1, 60 * million)),
    path: '/images/generations',
    body: () => '{"model":"bench-pictures","prompt":"a"}',
  },
  answered('chat, an answer with 4 MB of logprobs', () => probabilities(4 * million), small),
  answered('chat, an answer with 14 MB of logprobs', () => probabilities(14 * million)),
  streamed('chat, an event of 4 MB of words', () => text(words, 4 * million), small),
  streamed('chat, an event of 4 MB of code', () => text(code, 4 * million), small),
  streamed('chat, an event of 8 MB of code', () => text(code, 8 * million - 2000)),
  streamed(
    'chat, an event of 40 MB of a picture',
    () => `"a picture"},"picture":{"data":"${filled('iVBORw0KGgo', 40 * million)}"`,
  ),
  answered('chat, an answer of 4 MB', () => chatAnswer(text(code, 4 * million)), small),
  answered('chat, an answer of 15 MB', () => chatAnswer(text(words, 15 * million))),
  answered('chat, an answer of 15 MB of values', () =>
    chatAnswer(`[${filled('1,', 15 * million)}1]`),
  ),
  answered('chat, an answer of 5 MB of brackets', () => filled('[', 5 * million)),
  answered(
    'chat, an answer with 100,000 brackets',
    () => chatAnswer('['.repeat(100_000) + ']'.repeat(100_000)),
    small,
  ),
  {
    ...answered('messages, an answer of 15 MB', () => chatAnswer(text(words, 15 * million))),
    path: '/messages',
    body: () =>
      '{"model":"bench-model","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}',
  },
  {
    ...answered('messages, an answer of 4 MB', () => chatAnswer(text(code, 4 * million)), small),
    path: '/messages',
    body: () =>
      '{"model":"bench-model","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}',
  },
]

function pictures(count: number, bytes: number): string {
  return `{"created":1,"data":[${listed(count, () => `{"b64_json":"${filled('iVBORw0KGgo', bytes)}"}`)}],"usage":{"input_tokens":5,"output_tokens":50,"total_tokens":55}}`
}

import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rawChunk, type RawEnd, type RawPart } from '../support/raw-vendor'
import { chunk, event, openaiStream, usage, usageChunk } from '../support/stand-in'

/** What a client is told in the end: an answer, or an error of this code. */
type Ending = 'answer' | `${'upstream' | 'stream' | 'model'}_${string}`

/** A request as the vendor has it. */
interface Asked {
  readonly stream: boolean
  /** An address that must not be asked. */
  readonly elsewhere: string
}

/** One way to misbehave. */
export interface HostileKind {
  readonly name: string
  /** All that is sent, head included. */
  wire(asked: Asked): Iterable<RawPart>
  /** How a whole answer ends, and a stream. */
  readonly whole: Ending
  readonly stream: Ending
  /** How the connection ends: closed in order, unless told otherwise. */
  readonly end: RawEnd
  /** It answers before a long request is read, or says no more until it is given up. */
  readonly when: 'read' | 'before it is read' | 'never'
}

/** What no client may see, wherever a vendor puts it. */
export const evil = 'EVIL'

const megabyte = 1_048_576
const text = 'Hello from the vendor'
const base = { id: 'c', object: 'chat.completion', created: 1_760_000_000, model: 'vendor-model' }

/** A head with a status, its own fields, and those of a body of this length. */
const head = (type: string, bytes: number | null, fields = '', status = '200 OK') =>
  `HTTP/1.1 ${status}\r\n${type === '' ? '' : `content-type: ${type}\r\n`}${fields}${bytes === null ? '' : `content-length: ${bytes}\r\n`}\r\n`
const typeOf = ({ stream }: Asked) => (stream ? 'text/event-stream' : 'application/json')

const message = { role: 'assistant', content: text, refusal: null }
/** A whole answer, with other members of it, of its message and of its choice. */
const completion = (change: object = {}, said: object = {}, choice: object = {}) =>
  JSON.stringify({
    ...base,
    choices: [{ index: 0, message: { ...message, ...said }, finish_reason: 'stop', ...choice }],
    usage,
    ...change,
  })
const events = openaiStream(text).join('')

/** A body as it should be. */
const right = ({ stream }: Asked): string => (stream ? events : completion())

type Body = string | Buffer
type Wire = HostileKind['wire']

/** Sends this body as it is asked for, with a right length. */
const sends =
  (body: (asked: Asked) => Body, fields = '', status = '200 OK'): Wire =>
  (asked) => {
    const bytes = Buffer.from(body(asked))
    return [head(typeOf(asked), bytes.length, fields, status), bytes]
  }
/** Sends the same, whatever is asked for. */
const says =
  (body: Body, type: string, status = '200 OK', fields = ''): Wire =>
  () => [head(type, Buffer.byteLength(body), fields, status), body]
/** Sends a whole answer, or the events of a stream. */
const either = (whole: string, stream: string | readonly string[]): Wire =>
  sends((asked) => {
    if (!asked.stream) return whole
    return typeof stream === 'string' ? stream : stream.join('')
  })
/** A right answer behind these lines. */
const behind =
  (lines: string): Wire =>
  (asked) => [
    `${lines}content-type: ${typeOf(asked)}\r\ncontent-length: ${Buffer.byteLength(right(asked))}\r\n\r\n${right(asked)}`,
  ]
/** A right answer with other fields. */
const withFields = (fields: string): Wire => sends(right, fields)

const chunkedHead = (asked: Asked, fields = '') =>
  head(typeOf(asked), null, `${fields}transfer-encoding: chunked\r\n`)
/** A beginning, then the same piece until nobody reads on. */
const endless = (begin: (asked: Asked) => string, piece: string): Wire =>
  function* (asked) {
    yield begin(asked)
    const one = Buffer.from(piece)
    for (;;) yield one
  }
/** A piece of the answer, where it is a stream. */
const first = (asked: Asked) =>
  asked.stream ? rawChunk(chunk({ role: 'assistant', content: text })) : ''

/** A right answer with another usage. */
const inUsage = (change: object): Wire => {
  const told = { ...usage, ...change }
  return either(completion({ usage: told }), openaiStream(text, told))
}
/** The same, as no `JSON.stringify` writes it. */
const inUsageText = (written: string): Wire => {
  const marked = { mark: 0 }
  const put = (body: string) => body.replaceAll('"usage":{"mark":0}', `"usage":${written}`)
  return either(put(completion({ usage: marked })), put(openaiStream(text, marked).join('')))
}
/** A choice whose members are of other types. */
const inMessage = (said: object, choice: object = {}): Wire =>
  either(completion({}, said, choice), [
    event({
      ...base,
      choices: [{ index: 0, delta: { ...message, ...said }, finish_reason: null, ...choice }],
    }),
    usageChunk(usage),
    'data: [DONE]\n\n',
  ])

const spaces = Buffer.alloc(64 * megabyte, ' ')
const page = `<!doctype html><script>${evil}()</script><h1>${evil}</h1>`
const fails = (status: string, body = '', fields = '', type = 'text/html'): Wire =>
  says(body, type, status, fields)
const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const foreignFields = [
  `set-cookie: ${evil}=1; Path=/`,
  `set-cookie2: ${evil}`,
  `location: https://${evil}.example/`,
  `refresh: 0; url=https://${evil}.example/`,
  `www-authenticate: Basic realm="${evil}"`,
  `x-request-id: ${evil}`,
  `x-ratelimit-limit: ${evil}`,
  `retry-after: ${evil}`,
  `server: ${evil}`,
  `access-control-allow-origin: https://${evil}.example`,
  `content-security-policy: ${evil}`,
  `clear-site-data: "${evil}"`,
  `content-disposition: attachment; filename=${evil}`,
  `link: <https://${evil}.example>; rel=preload`,
  `alt-svc: h3="${evil}:1"`,
  `x-evil: ${evil}`,
]

const row = (
  name: string,
  wire: Wire,
  whole: Ending,
  stream: Ending = whole,
  { end = 'fin', when = 'read' }: Partial<Pick<HostileKind, 'end' | 'when'>> = {},
): HostileKind => ({ name, wire, whole, stream, end, when })

export const hostileKinds: readonly HostileKind[] = [
  // Status lines.
  row('a version of HTTP that is none', behind('HTTP/9.9 200 OK\r\n'), 'upstream_unreachable'),
  row('a status of letters', behind('HTTP/1.1 2OO OK\r\n'), 'upstream_unreachable'),
  row('a status of 999', fails('999 Odd', evil), 'upstream_error'),
  row('a status with a reason of 8 KB', behind(`HTTP/1.1 200 ${evil.repeat(2000)}\r\n`), 'answer'),
  // Interim answers.
  row(
    'a thousand interim heads',
    () => ['HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'.repeat(1000)],
    'upstream_unreachable',
  ),
  row(
    'interim heads with cookies',
    behind(
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 E\r\nset-cookie: ${evil}=1\r\n\r\nHTTP/1.1 200 OK\r\n`,
    ),
    'answer',
  ),
  row(
    'an upgrade to a websocket',
    () => [
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n\x81\x04${evil}`,
    ],
    'upstream_unreachable',
    'upstream_unreachable',
    { end: 'open' },
  ),
  // Redirects.
  row(
    'a redirect to itself',
    sends(right, 'location: /v1/chat/completions\r\n', '301 Moved Permanently'),
    'upstream_error',
  ),
  row(
    'a redirect to another address',
    (asked) => sends(() => page, `location: ${asked.elsewhere}\r\n`, '302 Found')(asked),
    'upstream_error',
  ),
  row(
    'a redirect that keeps the method',
    (asked) => sends(right, `location: ${asked.elsewhere}\r\n`, '307 Temporary Redirect')(asked),
    'upstream_error',
  ),
  // Fields.
  row(
    'cookies and fields of the vendor',
    withFields(foreignFields.map((each) => `${each}\r\n`).join('')),
    'answer',
  ),
  row(
    'a field of 1 MB',
    withFields(`x-evil: ${evil.repeat(megabyte / 4)}\r\n`),
    'upstream_unreachable',
  ),
  row(
    'a field that goes on in the next line',
    withFields(`x-a: b\r\n set-cookie: ${evil}=1\r\n`),
    'upstream_unreachable',
  ),
  row(
    'a bare CR and a NUL in a field',
    withFields(`x-a: b\rset-cookie: ${evil}=1\0\r\n`),
    'upstream_unreachable',
  ),
  // Lengths.
  row('no length', (asked) => [head(typeOf(asked), null), right(asked)], 'answer'),
  row(
    'a negative length',
    (asked) => [head(typeOf(asked), -5), right(asked)],
    'upstream_unreachable',
  ),
  row('two lengths', withFields('content-length: 3\r\n'), 'upstream_unreachable'),
  row(
    'a length longer than the body',
    (asked) => [head(typeOf(asked), right(asked).length + 9), right(asked)],
    'upstream_error',
    'answer',
  ),
  row(
    'a length shorter than the body',
    (asked) => [head(typeOf(asked), right(asked).length >> 1), right(asked)],
    'upstream_error',
    'stream_interrupted',
  ),
  // Chunks.
  row(
    'a chunk size of no digits',
    (asked) => [chunkedHead(asked), first(asked), `xyz\r\n${evil}\r\n0\r\n\r\n`],
    'upstream_error',
    'stream_interrupted',
  ),
  row(
    'no last chunk',
    (asked) => [chunkedHead(asked), rawChunk(right(asked))],
    'upstream_error',
    'answer',
  ),
  // Without an end.
  row(
    'a body without an end',
    endless(
      (asked) => `${head(typeOf(asked), null)}${asked.stream ? 'data: ' : ''}{"x":"`,
      'x'.repeat(65_536),
    ),
    'upstream_error',
  ),
  row(
    'comments without an end',
    endless(
      (asked) => `${chunkedHead(asked)}${first(asked)}`,
      rawChunk(': and so on\n\n'.repeat(1000)),
    ),
    'upstream_error',
    'stream_interrupted',
  ),
  row(
    'chunks of blank lines without an end',
    endless(
      (asked) => `${chunkedHead(asked)}${first(asked)}`,
      rawChunk('\n'.repeat(8)).repeat(1000),
    ),
    'upstream_error',
    'stream_interrupted',
  ),
  row(
    'an event without an end',
    endless(
      (asked) => `${chunkedHead(asked)}${first(asked)}${rawChunk('data: {"x":"')}`,
      rawChunk('x'.repeat(65_536)),
    ),
    'upstream_error',
    'stream_interrupted',
  ),
  row(
    'one event of 6 MB',
    either(
      completion({}, { content: 'words '.repeat(megabyte) }),
      openaiStream('')
        .slice(0, 1)
        .concat(chunk({ content: 'words '.repeat(megabyte) }), openaiStream('').slice(1)),
    ),
    'answer',
  ),
  // Codings.
  row(
    'a bomb of gzip',
    sends(() => gzipSync(spaces, { level: 1 }), 'content-encoding: gzip\r\n'),
    'upstream_error',
  ),
  row(
    'a bomb of brotli',
    sends(() => brotliCompressSync(spaces, { params: { 1: 1 } }), 'content-encoding: br\r\n'),
    'upstream_error',
  ),
  row('a coding that is not there', withFields('content-encoding: gzip\r\n'), 'upstream_error'),
  row(
    'gzip that is cut off',
    sends((asked) => gzipSync(right(asked)).subarray(0, -20), 'content-encoding: gzip\r\n'),
    'upstream_error',
    'stream_interrupted',
  ),
  row(
    'a coding that nobody knows',
    withFields(`content-encoding: ${evil}\r\n`),
    'upstream_unreachable',
  ),
  // Characters.
  row(
    'UTF-16',
    sends((asked) => Buffer.from(right(asked), 'utf16le')),
    'upstream_error',
  ),
  row(
    'a wrong charset',
    (asked) => [head(`${typeOf(asked)}; charset=utf-16`, right(asked).length), right(asked)],
    'answer',
  ),
  row(
    'bytes that are no UTF-8',
    sends((asked) => Buffer.from(right(asked).replace('Hello', 'H\xff\xfe\xc0llo'), 'latin1')),
    'answer',
  ),
  row(
    'a byte order mark',
    sends((asked) => `\uFEFF${right(asked)}`),
    'answer',
  ),
  // JSON.
  row(
    'JSON with NaN',
    either(
      completion().replace('1760000000', 'NaN'),
      event({}).replace('{}', '{"choices":[{"index":NaN}]}'),
    ),
    'upstream_error',
  ),
  row(
    'JSON with names twice',
    either(completion().replace('{"id"', `{"choices":["${evil}"],"model":"${evil}","id"`), [
      chunk({ content: text }).replace('{"id"', `{"model":"${evil}","id"`),
      ...openaiStream(text).slice(-3),
    ]),
    'answer',
  ),
  row(
    'JSON 100,000 deep',
    either(completion({ choices: 0 }).replace('"choices":0', `"choices":${nested}`), [
      chunk({ content: text }),
      `data: {"choices":${nested}}\n\n`,
    ]),
    'upstream_error',
    'stream_interrupted',
  ),
  row(
    'JSON with __proto__',
    either(
      completion().replace(
        '{"id"',
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"id"',
      ),
      [event({}).replace('{}', '{"__proto__":{"polluted":1},"choices":[]}'), ...openaiStream(text)],
    ),
    'answer',
  ),
  row(
    'JSON that is cut off',
    either(completion().slice(0, -40), [
      chunk({ content: text }),
      `${chunk({ content: text }).slice(0, -30)}\n\n`,
    ]),
    'upstream_error',
    'stream_interrupted',
  ),
  row(
    'null, a list and a text instead of an object',
    either('[null,"a"]', [
      'data: null\n\n',
      'data: ["a"]\n\n',
      'data: "a"\n\n',
      'data: [DONE]\n\n',
    ]),
    'upstream_error',
  ),
  // Other bodies.
  row('a page instead of JSON', says(page, 'text/html'), 'upstream_error'),
  row('an empty 200', says('', 'application/json'), 'upstream_error'),
  row('204 with a body', fails('204 No Content', evil), 'upstream_error'),
  row('400 with a page', fails('400 Bad Request', page), 'upstream_rejected'),
  row(
    '401 with a challenge',
    fails('401 Unauthorized', evil, `www-authenticate: Basic realm="${evil}"\r\n`),
    'upstream_error',
  ),
  row(
    '429 with silly waits',
    fails('429 Too Many Requests', '{}', 'retry-after: -1\r\nretry-after-ms: 1e999\r\n'),
    'upstream_rate_limited',
  ),
  row(
    '429 until the year 9999',
    fails(
      '429 Too Many Requests',
      evil.repeat(30_000),
      'date: Fri, 31 Dec 1999 23:59:59 GMT\r\nretry-after: Fri, 31 Dec 9999 23:59:59 GMT\r\n',
    ),
    'upstream_rate_limited',
  ),
  row('500 with a right answer', sends(right, '', '500 Internal Server Error'), 'upstream_error'),
  row(
    '503 without an end',
    endless(() => head('text/plain', null, '', '503 Service Unavailable'), evil.repeat(10_000)),
    'upstream_capacity_full',
  ),
  row(
    'an error in a 200',
    either(
      JSON.stringify({ error: { message: 'no', code: 'server_error' } }),
      event({ error: { message: 'no', code: 'server_error' } }),
    ),
    'upstream_error',
  ),
  row(
    'an error behind a piece of the answer',
    either(completion({ error: 'broken' }), [
      chunk({ content: text }),
      event({ error: { message: 'no', type: evil } }),
    ]),
    'upstream_error',
    'stream_interrupted',
  ),
  // Usage.
  row(
    'a usage of negative numbers',
    inUsage({ prompt_tokens: -100, completion_tokens: -50, total_tokens: -150 }),
    'answer',
  ),
  row(
    'a usage of fractions',
    inUsage({ prompt_tokens: 0.5, completion_tokens: 1e-9, total_tokens: 0.7 }),
    'answer',
  ),
  row(
    'a usage of 1e15',
    inUsage({ prompt_tokens: 1e15, completion_tokens: 1e15, total_tokens: 2e15 }),
    'answer',
  ),
  row(
    'a usage of a billion',
    inUsage({
      prompt_tokens: 1e9,
      completion_tokens: 1e9,
      total_tokens: 2e9,
      cost: 1e9,
      cost_details: {},
    }),
    'answer',
  ),
  row(
    'a usage of 1e999',
    inUsageText('{"prompt_tokens":1e999,"completion_tokens":-1e999,"total_tokens":1e999}'),
    'answer',
  ),
  row(
    'a usage of texts and lists',
    inUsage({
      prompt_tokens: '100',
      completion_tokens: [50],
      total_tokens: {},
      prompt_tokens_details: 'a',
      completion_tokens_details: [1],
    }),
    'answer',
  ),
  row(
    'a usage of null, and none',
    either(completion({ usage: null }), openaiStream(text, null)),
    'answer',
  ),
  row(
    'two usages in one object',
    inUsageText(`${JSON.stringify(usage)},"usage":{"prompt_tokens":1,"completion_tokens":1}`),
    'answer',
  ),
  row(
    'a usage that becomes less, and comes again behind the end',
    either(completion({ usage: { ...usage, total_tokens: 1 } }), [
      ...openaiStream(text).slice(0, -1),
      usageChunk({ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }),
      'data: [DONE]\n\n',
      usageChunk({ prompt_tokens: 1e6, completion_tokens: 1e6 }),
    ]),
    'answer',
  ),
  // Events and choices.
  row(
    'no finish and no [DONE]',
    either(completion({}, {}, { finish_reason: null }), [chunk({ content: text })]),
    'answer',
    'stream_interrupted',
  ),
  row(
    '[DONE] twice, and more behind it',
    either(completion().concat('\n'), [
      ...openaiStream(text),
      'data: [DONE]\n\n',
      chunk({ content: evil }),
    ]),
    'answer',
  ),
  row('[DONE] and nothing before it', either('[DONE]', 'data: [DONE]\n\n'), 'upstream_error'),
  row(
    'choices of odd numbers',
    either(
      completion({}, {}, { index: -1 }),
      [5, -1, 1e9, 0.5, '0']
        .map((index) =>
          event({ ...base, choices: [{ index, delta: { content: 'a' }, finish_reason: null }] }),
        )
        .concat(openaiStream(text)),
    ),
    'answer',
  ),
  row(
    'a thousand choices',
    either(
      completion({
        choices: Array.from({ length: 1000 }, (_, index) => ({
          index,
          message,
          finish_reason: 'stop',
        })),
      }),
      Array.from({ length: 1000 }, (_, index) =>
        event({ ...base, choices: [{ index, delta: { content: 'a' }, finish_reason: null }] }),
      ),
    ),
    'answer',
    'stream_interrupted',
  ),
  row(
    'content and finish of other types',
    inMessage({ role: evil, content: { a: 1 }, refusal: 5 }, { finish_reason: 7, logprobs: 'a' }),
    'answer',
  ),
  row(
    'calls of other types',
    inMessage(
      {
        content: 42,
        tool_calls: [
          null,
          'a',
          { index: -1, id: 5, function: 'f' },
          { index: 0, type: 'function', function: { name: {}, arguments: [1] } },
        ],
      },
      { finish_reason: 'tool_calls' },
    ),
    'answer',
  ),
  row(
    'events that end in CR, and fields of other names',
    either(completion(), `id: ${evil}\rretry: 1\revent: ${evil}\r${events.replaceAll('\n', '\r')}`),
    'answer',
  ),
  row(
    'events that end in CRLF, each byte alone',
    function* (asked) {
      yield chunkedHead(asked)
      const bytes = Buffer.from(right(asked).replaceAll('\n', '\r\n').replace('Hello', 'سلام'))
      for (const byte of bytes)
        yield Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')])
      yield '0\r\n\r\n'
    },
    'answer',
  ),
  // Connections.
  row(
    'a reset in the middle',
    (asked) => [chunkedHead(asked), first(asked), '500\r\n{'],
    'upstream_error',
    'stream_interrupted',
    { end: 'reset' },
  ),
  row('a close without an answer', () => [], 'upstream_unreachable'),
  row(
    'a close in the middle of the body',
    (asked) => [head(typeOf(asked), 5000), right(asked).slice(0, 200)],
    'upstream_error',
  ),
  row('silence', () => [], 'upstream_unreachable', 'upstream_unreachable', {
    end: 'open',
    when: 'never',
  }),
  row(
    'silence behind the head',
    (asked) => [chunkedHead(asked), asked.stream ? rawChunk(': wait\n\n') : rawChunk('{')],
    'upstream_unreachable',
    'upstream_unreachable',
    { end: 'open', when: 'never' },
  ),
  row('an answer before the request is read', sends(right), 'answer', 'answer', {
    when: 'before it is read',
  }),
  row(
    'a second answer behind the first',
    (asked) => [
      ...sends(right)(asked),
      ...says(completion({}, { content: evil }), 'application/json')(asked),
    ],
    'answer',
    'answer',
    { end: 'open' },
  ),
  row('sound instead of text', says(Buffer.from(`ID3${evil}`), 'audio/mpeg'), 'upstream_error'),
  row(
    'bytes of no type, and more behind them',
    (asked) => [
      head('application/octet-stream', Buffer.byteLength(right(asked))),
      right(asked),
      evil,
    ],
    'answer',
    'upstream_error',
  ),
]

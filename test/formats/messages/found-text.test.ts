import { expect, test } from 'bun:test'
import { parseMessagesRequest } from '../../../src/gateway/formats/messages/parse-request'
import { checkMessagesBody } from '../../../src/gateway/formats/messages/schema'

const messagesOf = (...messages: readonly object[]) =>
  parseMessagesRequest(checkMessagesBody({ model: 'm', max_tokens: 100, messages })).messages

const heading = '[what tools at the vendor found for the answer above]'
const asked = { role: 'user', content: 'Who won?' }
const searched = {
  type: 'server_tool_use',
  id: 'srv_1',
  name: 'web_search',
  input: { query: 'cup final' },
}
const results = {
  type: 'web_search_tool_result',
  tool_use_id: 'srv_1',
  content: [
    {
      type: 'web_search_result',
      url: 'https://a.example/1',
      title: 'The\nfinal',
      page_age: '2 days ago',
      encrypted_content: 'sealed',
    },
    { type: 'web_search_result', url: 'https://a.example/2', title: 'B', encrypted_content: 's' },
  ],
}
const lines = [
  heading,
  '[web_search: cup final]',
  '[source: The final, https://a.example/1, 2 days ago]',
  '[source: B, https://a.example/2]',
]

test('what a search found stands before what the user says next, and the answer stays as it was', () => {
  const answer = { type: 'text', text: 'B won.' }
  expect(
    messagesOf(
      asked,
      { role: 'assistant', content: [searched, results, answer] },
      { role: 'user', content: 'Give me the link' },
    ),
  ).toEqual([
    asked,
    { role: 'assistant', content: 'B won.' },
    { role: 'user', content: `${lines.join('\n')}\n\nGive me the link` },
  ])
})

test('it stands behind the results of calls, and never between', () => {
  const call = { type: 'tool_use', id: 'toolu_a', name: 'note', input: {} }
  const noted = { type: 'tool_result', tool_use_id: 'toolu_a', content: 'done' }
  const [, , ...after] = messagesOf(
    asked,
    { role: 'assistant', content: [searched, results, call] },
    { role: 'user', content: [noted, { type: 'text', text: 'Go on' }] },
  )
  expect(after).toEqual([
    { role: 'tool', tool_call_id: 'toolu_a', content: 'done' },
    {
      role: 'user',
      content: [
        { type: 'text', text: lines.join('\n') },
        { type: 'text', text: 'Go on' },
      ],
    },
  ])
})

test('a search whose answer is still to come ends the conversation', () => {
  expect(messagesOf(asked, { role: 'assistant', content: [searched, results] })).toEqual([
    asked,
    { role: 'user', content: lines.join('\n') },
  ])
})

const noteOf = (...content: readonly object[]) =>
  messagesOf(asked, { role: 'assistant', content }).at(-1)?.content
const fetched = (content: object) => ({
  type: 'web_fetch_tool_result',
  tool_use_id: 'srv_2',
  content,
})
const page = { type: 'web_fetch_result', url: 'https://a.example/p', retrieved_at: '2026-11-29' }
const source = '[source: Plan, https://a.example/p, 2026-11-29]'

test('a page that was fetched stands with its text, a file with its address', () => {
  const text = { type: 'text', media_type: 'text/plain', data: 'All of it.' }
  const file = { type: 'base64', media_type: 'application/pdf', data: 'JVBE' }
  const of = (source: object) =>
    noteOf(fetched({ ...page, content: { type: 'document', title: 'Plan', source } }))
  expect(of(text)).toBe([heading, source, 'All of it.'].join('\n'))
  expect(of({ type: 'content', content: [{ type: 'text', text: 'Part' }] })).toBe(
    [heading, source, 'Part'].join('\n'),
  )
  expect(of(file)).toBe([heading, source, '[a file, not shown here]'].join('\n'))
})

test('failures, tools that were found and other tools are told too', () => {
  const failed = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' }
  const found = { tool_references: [{ type: 'tool_reference', tool_name: 'lookup' }] }
  expect(
    noteOf(
      { type: 'web_search_tool_result', tool_use_id: 'a', content: failed },
      fetched({ type: 'web_fetch_tool_result_error', error_code: 'unavailable' }),
      { type: 'tool_search_tool_result', tool_use_id: 'b', content: found },
      { type: 'server_tool_use', id: 'c', name: 'code_execution', input: { code: '1 + 1' } },
    ),
  ).toBe(
    [
      heading,
      '[web_search failed: max_uses_exceeded]',
      '[web_fetch failed: unavailable]',
      '[tools found: lookup]',
      '[code_execution: {"code":"1 + 1"}]',
    ].join('\n'),
  )
})

test('pages that a text cites without results are sources too, each once', () => {
  const cited = (url: string) => ({ type: 'web_search_result_location', url, title: 'B' })
  const text = {
    type: 'text',
    text: 'B won.',
    citations: [
      cited('https://a.example/2'),
      cited('https://a.example/3'),
      cited('https://a.example/3'),
    ],
  }
  expect(noteOf(searched, results, text)).toBe(
    [...lines, '[source: B, https://a.example/3]'].join('\n'),
  )
})

import { expect, test } from 'bun:test'
import { parseResponsesRequest } from '../../../src/gateway/formats/responses/parse-request'
import { checkResponsesBody } from '../../../src/gateway/formats/responses/schema'

const messagesOf = (...input: readonly object[]) =>
  parseResponsesRequest(checkResponsesBody({ model: 'm', input })).messages

const asked = { role: 'user', content: 'Who won?' }
const searched = {
  type: 'web_search_call',
  id: 'ws_1',
  status: 'completed',
  action: {
    type: 'search',
    query: 'cup final',
    sources: [{ type: 'url', url: 'https://a.example/1' }],
  },
}
const cited = (url: string) => ({ type: 'url_citation', url, title: 'The\nfinal' })
const answer = {
  type: 'message',
  role: 'assistant',
  content: [
    {
      type: 'output_text',
      text: 'B won.',
      annotations: [
        cited('https://a.example/1'),
        cited('https://a.example/2'),
        cited('https://a.example/2'),
      ],
    },
  ],
}
const note = [
  '[what tools at the vendor found for the answer above]',
  '[web_search: cup final]',
  '[source: https://a.example/1]',
  '[source: The final, https://a.example/2]',
].join('\n')

test('what a search found and an answer cites stands before what the user says next', () => {
  expect(messagesOf(asked, searched, answer, { role: 'user', content: 'The link?' })).toEqual([
    asked,
    { role: 'assistant', content: 'B won.' },
    { role: 'user', content: `${note}\n\nThe link?` },
  ])
  const content = [{ type: 'input_text', text: 'The link?' }]
  expect(messagesOf(asked, searched, answer, { role: 'user', content }).at(-1)).toEqual({
    role: 'user',
    content: `${note}\n\nThe link?`,
  })
})

const call = { type: 'function_call', call_id: 'call_a', name: 'note', arguments: '{}' }
const result = { type: 'function_call_output', call_id: 'call_a', output: 'done' }
const roles = (messages: readonly { role: string }[]) => messages.map(({ role }) => role)

test('it stands behind the results of calls, at the same place as the conversation goes on', () => {
  const first = messagesOf(asked, searched, answer, call, result)
  expect(roles(first)).toEqual(['user', 'assistant', 'tool', 'user'])
  expect(first.at(-1)).toEqual({ role: 'user', content: note })
  const more = { type: 'message', role: 'assistant', content: 'Noted.' }
  expect(messagesOf(asked, searched, answer, call, result, more).slice(0, first.length)).toEqual(
    first,
  )
  expect(
    messagesOf(asked, searched, answer, call, result, { ...call, call_id: 'call_b' }).slice(
      0,
      first.length,
    ),
  ).toEqual(first)
})

test('pages that were opened and searched are told too, and a search of nothing is not', () => {
  const did = (action: object) => ({ ...searched, action })
  const said = messagesOf(
    asked,
    did({ type: 'open_page', url: 'https://a.example/1' }),
    did({ type: 'find_in_page', url: 'https://a.example/1', pattern: 'goal' }),
    did({ type: 'search', queries: ['a', 'b'] }),
    did({ type: 'search' }),
  )
  expect(said.at(-1)?.content).toBe(
    [
      '[what tools at the vendor found for the answer above]',
      '[open_page: https://a.example/1]',
      '[find_in_page: goal, https://a.example/1]',
      '[web_search: a, b]',
    ].join('\n'),
  )
})

import { describe, expect, test } from 'bun:test'
import {
  citationBlock,
  offeredSearch,
  sourceBlocks,
  withoutUnsealed,
} from '../../../src/gateway/formats/messages/web-search'

const asking = (tool: object) =>
  offeredSearch({
    model: 'm',
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'web_search_20250305', name: 'web_search', ...tool }],
  } as never)

describe('a search that a client offers', () => {
  test('is as wide as it says', () => {
    expect(asking({})).toEqual({ contextSize: null, location: null, domains: null, maxSearches: 4 })
    expect(
      asking({
        max_uses: 2,
        allowed_domains: ['a.example'],
        user_location: { type: 'approximate', city: 'Shiraz' },
      }),
    ).toEqual({
      contextSize: null,
      location: { city: 'Shiraz' },
      domains: ['a.example'],
      maxSearches: 2,
    })
  })

  test('is none where it keeps pages out, which nobody else would', () => {
    expect(asking({ blocked_domains: ['b.example'] })).toBeNull()
  })
})

describe('sources of another vendor', () => {
  const url = 'https://a.example/'
  const cited = { start_index: 2, end_index: 5, url, title: 'A' }
  const citation = citationBlock({ type: 'url_citation', url_citation: cited }, 'xxabcxx')
  const text = { type: 'text', text: 'xxabcxx', citations: [citation] }

  test('stand beside the text, each page once', () => {
    expect(citation).toMatchObject({ url, title: 'A', cited_text: 'abc' })
    const whole = { ...cited, start_index: 0, end_index: 1_000_000 }
    const long = citationBlock({ url_citation: whole }, 'x'.repeat(1_000_000))
    expect(long?.['cited_text']).toBe('x'.repeat(150))
    const [use, result] = sourceBlocks([{ ...citation }, { ...citation }], 'req_0123456789abcdef')
    expect(result?.['tool_use_id']).toBe(use?.['id'])
    expect(result?.['content']).toEqual([
      { type: 'web_search_result', url, title: 'A', encrypted_content: '', page_age: null },
    ])
  })

  test('do not go to the vendor whose own are sealed', () => {
    const blocks = [text, ...sourceBlocks([{ ...citation }], 'req_0123456789abcdef')]
    expect(withoutUnsealed(blocks)).toEqual([{ ...text, citations: null }])
    const own = [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ type: 'web_search_result', url, title: 'A', encrypted_content: 'sealed' }],
      },
      { type: 'text', text: 'x', citations: [{ ...citation, encrypted_index: 'sealed' }] },
    ]
    expect(withoutUnsealed(own)).toBe(own)
  })
})

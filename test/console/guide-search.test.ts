import { expect, test } from 'bun:test'
import { openGuideSearch, type GuideSection } from '../../src/console/guide-search'
import { openTestGateway } from '../support/gateway'

const section = (heading: string, text: string): GuideSection => ({
  page: 'page',
  language: 'en',
  pageTitle: 'Page',
  heading,
  anchor: null,
  text,
})
const search = openGuideSearch([
  [section('Keys', 'a key of a project'), section('Limits', 'requests per minute of one address')],
])
const found = async (query: string) => (await search).find(query).map(({ heading }) => heading)

test.each([
  ['key', ['Keys']],
  ['PROJECT keys', ['Keys']],
  ['requ minu', ['Limits']],
  ['requ key', []],
])('finds words, and their beginnings: %s', async (query, headings) => {
  expect(await found(query)).toEqual(headings)
})

test('looks for a few words, each once, and for a letter as it stands', async () => {
  const few = 'requests per minute of one address limits page'
  expect(await found(few)).toEqual(['Limits'])
  expect(await found(`${few} nothing like it`)).toEqual(['Limits'])
  expect(await found('a '.repeat(100))).toEqual(['Keys'])
  expect(await found('r')).toEqual([])
})

test('is bounded by address: what it takes is asked for by strangers', async () => {
  const gateway = await openTestGateway({ web: true, env: { CHAPAR_ADDRESS_RPM: '5' } })
  try {
    const { origin } = new URL(gateway.url)
    const statuses: number[] = []
    for (let count = 0; count < 8; count++)
      statuses.push((await fetch(`${origin}/docs/en/search?q=key`)).status)
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200])
    expect(statuses.at(-1)).toBe(429)
    expect((await fetch(`${origin}/docs/en`)).status).toBe(200)
  } finally {
    await gateway.close()
  }
})

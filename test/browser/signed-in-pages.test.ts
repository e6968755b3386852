import { describe, expect, test } from 'bun:test'
import { openVisitor, type Visitor } from '../console/visitor'
import { visit } from '../support/browser'
import { allLooks, browserSuite, inEachLanguage, look, lookInAll } from '../support/browser-suite'

let session = ''
let visitor: Visitor
const suite = browserSuite({
  async prepare(serving) {
    visitor = openVisitor(serving)
    await visitor.signIn('09123456789')
    session = visitor.cookie().replace('chapar=', '')
    await callWithNewKey(serving.url, visitor)
  },
})

/** So that the lists have something to show. */
async function callWithNewKey(url: string, visitor: Visitor): Promise<void> {
  const { body: projects } = await visitor.send('GET', '/projects')
  const { data } = projects as { data: { id: number }[] }
  const { body } = await visitor.send('POST', '/keys', { project: data[0]?.id, name: 'laptop' })
  const answer = await fetch(`${new URL(url).origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${(body as { secret: string }).secret}` },
    body: JSON.stringify({
      model: 'sandbox/echo',
      messages: [{ role: 'user', content: 'hello there' }],
    }),
  })
  expect(answer.status).toBe(200)
  await answer.arrayBuffer()
}

/** Pages of whoever is signed in; another one is another row. */
const pages = [
  ['home', '/app'],
  ['keys-list', '/app/keys'],
  ['models-list', '/app/models'],
  ['playground-begun', '/app/playground'],
  ['usage-sums', '/app/usage'],
  ['requests-list', '/app/requests'],
  ['statement-empty', '/app/statement'],
  ['projects-list', '/app/projects'],
  ['settings', '/app/settings'],
  ['account', '/app/account'],
  ['notices', '/app/notices'],
  ['verify', '/app/verify'],
] as const

describe('pages of whoever is signed in', () => {
  test(
    'are whole',
    inEachLanguage(allLooks, async (looks) => {
      const { page, context, faults, close } = await visit(
        suite.origin,
        looks[0] ?? expect.unreachable(),
      )
      await context.addCookies([{ name: 'chapar', value: session, url: suite.origin }])
      for (const [name, path] of pages) {
        await page.goto(suite.origin + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await lookInAll(page, name, looks)
      }
      expect(faults).toEqual([])
      await close()
    }),
  )
})

test('of more projects than are listed one is found by its name', async () => {
  const many = Array.from({ length: 101 }, (_, at) => `shop ${at}`)
  await Promise.all(many.map((name) => visitor.send('POST', '/projects', { name })))
  const looks = { language: 'fa', scheme: 'dark', width: 390 } as const
  const { page, context, faults, close } = await visit(suite.origin, looks)
  await context.addCookies([{ name: 'chapar', value: session, url: suite.origin }])
  await page.goto(`${suite.origin}/app/usage`)
  const picker = page.locator('input[role=combobox]')
  await picker.fill('shop 77')
  await page.getByRole('option', { name: 'shop 77' }).waitFor()
  await page.getByRole('option', { name: 'shop 1', exact: true }).waitFor({ state: 'detached' })
  await look(page, 'project-search', looks)
  await page.getByRole('option', { name: 'shop 77' }).click()
  await page.waitForURL(/project=\d+/)
  await page.reload()
  await page.locator('input[role=combobox][value="shop 77"]').waitFor()
  await look(page, 'project-chosen', looks)
  expect(faults).toEqual([])
  await close()
})

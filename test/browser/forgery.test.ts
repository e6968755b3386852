import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openVisitor, type Visitor } from '../console/visitor'
import { browser, closeBrowser } from '../support/browser'
import { serve, type Serving } from '../support/executable'

let serving: Serving
let visitor: Visitor
let origin = ''
let another: ReturnType<typeof Bun.serve>

beforeAll(async () => {
  serving = await serve(['--ephemeral'])
  origin = new URL(serving.url).origin
  visitor = openVisitor(serving)
  await visitor.signIn('09123456789')
  another = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () =>
      new Response(
        `<form method="post" enctype="text/plain" action="${origin}/app/api/members/invitations">
           <input name='{"phone":"09120000001","role":"owner","x":"' value='"}'></form>
         <iframe src="${origin}/app"></iframe>`,
        { headers: { 'content-type': 'text/html' } },
      ),
  })
})

afterAll(async () => {
  await closeBrowser()
  await another.stop(true)
  serving.kill('SIGTERM')
  await serving.exited
})

test('a page of another site changes nothing, and cannot frame ours', async () => {
  const context = await (await browser()).newContext()
  const value = visitor.cookie().replace('chapar=', '')
  await context.addCookies([{ name: 'chapar', value, url: origin, sameSite: 'Lax' }])
  const page = await context.newPage()
  await page.goto(`http://localhost:${another.port}/`)
  const target = `${origin}/app/api/members/invitations`
  const body = '{"phone":"09120000001","role":"owner"}'
  for (const type of ['application/json', 'text/plain']) {
    const fetched = page.evaluate(
      async (sent) => {
        const { url, ...options } = sent
        return (await fetch(url, { ...options, method: 'POST', credentials: 'include' })).status
      },
      { url: target, body, headers: { 'content-type': type } },
    )
    expect(await fetched.catch(() => 'blocked')).toBe('blocked')
  }
  const framed = page.frames().map((frame) => frame.url())
  expect(framed.filter((url) => url.startsWith(origin))).toEqual([])
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url() === target),
    page.locator('form').evaluate((form) => (form as unknown as { submit(): void }).submit()),
  ])
  expect(answer.status()).toBe(403)
  const { body: seen } = await visitor.send('GET', '/members')
  expect(seen).toMatchObject({ data: [{ role: 'owner' }], invitations: [] })
  await context.close()
})

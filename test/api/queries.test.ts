import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fieldsOf } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'

/* Parameters of addresses: what is not known, or not well formed, is refused by its name everywhere. */

let chapar: TestGateway
beforeAll(async () => {
  chapar = await openTestGateway()
})
afterAll(() => chapar.close())

const anthropic = { 'anthropic-version': '2023-06-01' }

async function asked(path: string, headers: object = {}, method = 'GET') {
  const answer = await fetch(chapar.url + path, {
    method,
    headers: { authorization: `Bearer ${chapar.key}`, 'accept-language': 'en', ...headers },
  })
  const { error } = fieldsOf(await answer.json())
  const { code, param, message } = fieldsOf(error)
  return { status: answer.status, code, param, message }
}

test.each([
  ['/usage?days=7', 'days'],
  ['/usage?start_date=2026-11-01', 'start_date'],
  ['/usage?group=', 'group'],
  ['/usage?group=key', 'group'],
  ['/usage?from=', 'from'],
  ['/usage?from=2026-02-30', 'from'],
  ['/usage?from=0000-01-01&to=0000-02-01', 'to'],
  ['/usage?from=2026-11-01&from=2026-11-02', 'from'],
  ['/videos?limit=', 'limit'],
  ['/videos?limit=1e1', 'limit'],
  ['/videos?limit=%2B5', 'limit'],
  ['/videos?limit=%205', 'limit'],
  ['/videos?limit=0', 'limit'],
  ['/videos?limit=101', 'limit'],
  ['/videos?order=', 'order'],
  ['/videos?order=up', 'order'],
  ['/videos?after=', 'after'],
  ['/videos?before=vid_1', 'before'],
  ['/videos?__proto__=1', '__proto__'],
  ['/videos/vid_1?variant=video', 'variant'],
  ['/models?type=', 'type'],
  ['/models?type=toy', 'type'],
  ['/models?limit=', 'limit'],
  ['/models?owner=a', 'owner'],
  ['/models/sandbox/echo?type=chat', 'type'],
  ['/requests/req_1?full=1', 'full'],
  ['/me?full', 'full'],
  [`/me?${'x'.repeat(500)}`, 'x'.repeat(64)],
])('%s is refused by its name', async (path, param) => {
  const refusal = await asked(path)
  expect(refusal).toMatchObject({ status: 400, code: null, param })
  expect(String(refusal.message)).toContain(param)
})

test.each(['/models?limit=', '/models?limit=1e1', '/models?limit=1001', '/models?limit=-1'])(
  '%s of a client of the Messages format is refused by its name',
  async (path) => {
    expect(await asked(path, anthropic)).toMatchObject({ status: 400, param: 'limit' })
  },
)

test.each([
  ['/models?beta=true&limit=2&after_id=a&type=chat', anthropic],
  ['/models/sandbox/echo?beta=true', anthropic],
  ['/models?limit=1000', {}],
  ['/models?client_version=0.151.0', {}],
  ['/usage?api-version=2026-01-01&group=model', {}],
  ['/videos?limit=5&order=asc&after=vid_1', {}],
  ['/me?', {}],
])('%s is answered', async (path, headers) => {
  expect((await asked(path, headers)).status).toBe(200)
})

test.each(['/requests/', '/requests/req_1/y'])('%s is no address', async (path) => {
  expect(await asked(path)).toMatchObject({ status: 404, code: 'unknown_url' })
})

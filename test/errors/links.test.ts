import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask, commandSeen, openTestGateway, type TestGateway } from '../support/gateway'

const links = {
  'top-up-url': 'https://pay.example/credit?from=api',
  'app-url': 'https://app.example',
  'support-url': 'mailto:help@example.com',
}

let chapar: TestGateway
beforeAll(
  async () => void (chapar = await openTestGateway({ env: { CHAPAR_KYC_CEILING: '0.000001' } })),
)
afterAll(() => chapar.close())

const message = async (key: string, language: string): Promise<string> => {
  const body = ask('sandbox/echo-priced', { max_tokens: 1000 })
  const headers = { authorization: `Bearer ${key}`, 'accept-language': language }
  const answer = await chapar.post(body, headers)
  return ((await answer.json()) as { error: { message: string } }).error.message
}

test('a message that sends somebody away says where to, once the operator did', async () => {
  const poor = await chapar.customer({ usd: '0.000001' })
  const stranger = await chapar.customer({ account: { verified: false } })
  const suspended = await chapar.customer({ account: { status: 'suspended' } })
  const asked = [
    [poor.key, links['top-up-url']],
    [stranger.key, links['app-url']],
    [suspended.key, links['support-url']],
  ] as const
  for (const language of ['fa', 'en']) {
    for (const [key, link] of asked) {
      const told = await message(key, language)
      expect(told).not.toContain(link)
      expect(told).toEndWith('.')
    }
  }
  for (const [name, link] of Object.entries(links)) await chapar.storage.settings.set(name, link)
  await chapar.gateway.reloadSettings()
  await commandSeen()
  for (const [key, link] of asked) {
    // Nothing that a reader would copy stands behind it.
    expect(await message(key, 'fa')).toEndWith(`\u2068${link}\u2069`)
    expect(await message(key, 'en')).toEndWith(`: ${link}`)
  }
})

test('a refusal that is asked for leads there too', async () => {
  for (const [code, link] of [
    ['insufficient_credit', links['top-up-url']],
    ['kyc_required', links['app-url']],
    ['account_suspended', links['support-url']],
  ] as const) {
    const answer = await chapar.post(ask(`sandbox/error-${code}`))
    expect(await answer.text()).toContain(link)
  }
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addVendor } from '../../src/business/catalogue/vendors'
import { setPricingRule } from '../../src/business/pricing/rule-changes'
import { systemClock } from '../../src/domain/clock'
import { makeLink } from '../../src/business/operators/setup-links'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import {
  codeAt,
  openOperatorVisitor,
  operatorPassword,
  type OperatorVisitor,
} from '../console/operator-visitor'
import { litellmMap, openaiVendor } from '../pricing/check-desk'
import { visit, type Looks } from '../support/browser'
import { browserSuite, look, shots } from '../support/browser-suite'
import { givenCookie } from '../support/operator-pages'
import { temporaryFolder } from '../support/executable'
import { drawnOf } from '../support/campaigns'

const data = temporaryFolder()
const source = join(data, 'public.json')
/** A vendor that lists one model that is sold, one that could be, and one that nobody knows. */
const vendor = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) =>
    new URL(request.url).pathname.endsWith('/models')
      ? Response.json({
          data: ['gpt-4o', 'claude-sonnet-4-5', 'house-model'].map((id) => ({ id })),
        })
      : Response.json({
          id: 'chatcmpl-1',
          object: 'chat.completion',
          created: 1,
          model: 'gpt-4o-mini',
          choices: [
            { index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' },
          ],
          usage: { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 },
        }),
})
await seed()
const suite = browserSuite({
  args: ['--data', data],
  async clean() {
    await vendor.stop(true)
    rmSync(data, { recursive: true, force: true })
  },
})

/** Two vendors, a rule of each kind, and public prices that tell otherwise. */
async function seed() {
  const storage = openStorage({ folder: data, exclusive: false, clock: systemClock })
  const parts = { storage, discovery: { found: [], local: [] }, sandbox: async () => false }
  try {
    const baseUrl = `http://127.0.0.1:${vendor.port}/v1`
    await addVendor(
      parts,
      { ...openaiVendor, baseUrl },
      { marginPercent: '20', by: 'command:test' },
    )
    await setPricingRule(
      parts,
      { kind: 'type', name: 'embedding', markupPercent: '-5', feePerCall: '0.0001', digits: 3 },
      'command:test',
    )
    writeFileSync(
      source,
      litellmMap({
        'gpt-4o': { input: 3.25, output: 9 },
        'gpt-4o-mini': { input: 0.2, output: 0.6 },
      }),
    )
    await storage.settings.set('prices-sources', source)
  } finally {
    await storage.close()
  }
}

/** A link of the first owner's, in the place of the one that was printed. */
async function linked() {
  const storage = openStorage({ folder: data, exclusive: false, clock: systemClock })
  const made = makeLink(storage.pepper, systemClock.now())
  await storage.operators.link(null, made.link)
  await storage.close()
  return made
}

let cookies: ReturnType<typeof givenCookie>[] = []
beforeAll(async () => {
  const owner = openOperatorVisitor(suite.origin)
  const { token, link } = await linked()
  const made = await owner.send('POST', '/setup', {
    token,
    name: 'sara',
    password: operatorPassword,
    code: codeAt(link.totp, systemClock.now()),
  })
  expect(made.status).toBe(200)
  cookies = [givenCookie(owner.cookie(), suite.origin)]
  expect((await owner.send('POST', '/price-checks')).status).toBe(200)
  await sell(owner)
})

/** Some calls of a customer, so that there is something to charge once more. */
async function sell(owner: OperatorVisitor) {
  const made = async (path: string, body: object) =>
    (await owner.send<{ id: number; secret: string }>('POST', path, body)).body
  const { id: account } = await made('/accounts', { name: 'نان سنگک' })
  await made(`/accounts/${account}/topups`, { usd: '20', reference: 'first' })
  const { id: project } = await made(`/accounts/${account}/projects`, { name: 'web' })
  const { secret } = await made(`/projects/${project}/keys`, { name: 'laptop' })
  for (let call = 0; call < 3; call++) {
    const answer = await fetch(`${suite.serving.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({
        model: 'gpt-4o-mini',
        messages: [{ role: 'user', content: 'is it?' }],
      }),
    })
    expect(answer.status).toBe(200)
    await answer.text()
  }
}

/** Pictures are wanted of more than a test has time for. */
const someLooks: readonly Looks[] = [
  { language: 'fa', scheme: 'light', width: 390 },
  ...(shots === null ? [] : [{ language: 'fa', scheme: 'dark', width: 1280 } as const]),
]
const wide: readonly Looks[] = [{ language: 'en', scheme: 'dark', width: 1280 }]
const usual: Looks = { language: 'en', scheme: 'light', width: 1280 }

async function open(path: string, looks: Looks) {
  const visited = await visit(suite.origin, looks)
  await visited.context.addCookies(cookies)
  await visited.page.goto(`${suite.origin}/app${path}`)
  await visited.page.getByRole('heading', { level: 1 }).waitFor()
  return visited
}

describe.each([
  ['prices-models', '/operator/models?text=gpt-4o', [...someLooks, ...wide]],
  ['prices-model', '/operator/models/gpt-4o', [...someLooks, ...wide]],
  ['prices-routes', '/operator/models/gpt-4o?tab=routes', someLooks],
  ['prices-facts', '/operator/models/gpt-4o?tab=facts', someLooks],
  ['prices-traits', '/operator/models/o1?tab=traits', someLooks],
  ['prices-names', '/operator/models/gpt-4o?tab=names', someLooks],
  ['prices-rules', '/operator/price-rules', [...someLooks, ...wide]],
  ['prices-proposals', '/operator/proposals', [...someLooks, ...wide]],
  ['prices-imports', '/operator/model-imports', someLooks],
] as const)('%s', (name, path, looks) => {
  test.each(drawnOf(looks))('is whole in $language, $scheme, $width', async (looks) => {
    const { page, faults, close } = await open(path, looks)
    await look(page, name, looks)
    expect(faults).toEqual([])
    await close()
  })
})

describe('an owner', () => {
  const phone: Looks = { language: 'fa', scheme: 'light', width: 390 }

  test('types a price, sees what it comes to, and sets it', async () => {
    const { page, faults, close } = await open('/operator/models/gpt-4o-mini', usual)
    await page.getByRole('button', { name: 'Change price' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'See what it comes to' }).isEnabled()).toBe(
      false,
    )
    await dialog.getByLabel('Input', { exact: true }).fill('1.8')
    await dialog.getByRole('button', { name: 'See what it comes to' }).click()
    await dialog.getByText('3 requests were charged once more.').waitFor()
    // 1,000 tokens in and 500 out, three times: $0.00054 each before, $0.00216 after.
    await dialog.getByText('$0.0016').waitFor()
    await dialog.getByText('$0.0065').waitFor()
    await look(page, 'prices-typed', usual)
    // Another price is another question.
    await dialog.getByLabel('Input', { exact: true }).fill('0.1')
    await dialog.getByRole('button', { name: 'See what it comes to' }).click()
    await dialog.getByText('This is below cost.').waitFor()
    await dialog.getByRole('button', { name: 'Set these prices' }).click()
    await page.getByText('The price was typed: no rule moves it.').waitFor()
    await page.getByText('These are sold below cost:').waitFor()
    await look(page, 'prices-below', usual)
    await page.getByRole('button', { name: 'Back to the rule' }).click()
    await dialog.getByRole('button', { name: 'See what it comes to' }).click()
    await dialog.getByRole('status').waitFor()
    await dialog.getByRole('button', { name: 'Back to the rule' }).click()
    await page.getByText('The price comes from the rule').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('sees on a telephone what a rule would move, and sets it', async () => {
    const { page, faults, close } = await open('/operator/price-rules', phone)
    await page.getByRole('button', { name: 'قاعدهٔ تازه' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('برای', { exact: true }).selectOption('owner')
    await dialog.getByLabel('سازنده', { exact: true }).fill('openai')
    await dialog.getByLabel('درصد روی هزینه').fill('۵۰')
    await dialog.getByRole('button', { name: 'دیدن اثر آن' }).click()
    await dialog.getByText('مدل جابه‌جا می‌شود').waitFor()
    await look(page, 'prices-rule', phone)
    await dialog.getByRole('button', { name: 'گذاشتن قاعده' }).click()
    await page.getByText('\u2066۵۰٪\u2069 روی هزینه').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('approves a proposal from a later day, and rejects the other', async () => {
    const { page, faults, close } = await open('/operator', usual)
    const needs = page.getByRole('listitem').filter({ hasText: 'price' })
    await needs.getByRole('link', { name: 'See' }).click()
    await page.getByRole('heading', { name: 'Price proposals', level: 1 }).waitFor()
    await page.getByRole('checkbox', { name: /for gpt-4o$/ }).check()
    await page.getByRole('button', { name: 'Approve' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('From when').selectOption('3')
    await dialog.getByRole('button', { name: 'See what it comes to' }).click()
    await dialog.getByText('Prices that move').or(dialog.getByText('gpt-4o')).first().waitFor()
    await look(page, 'prices-approving', usual)
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('checkbox', { name: /for gpt-4o$/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Choose all' }).click()
    await look(page, 'prices-chosen', usual)
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Nothing is proposed').waitFor()
    await page.goto(`${suite.origin}/app/operator/models/gpt-4o`)
    await page.getByRole('heading', { name: /^Price from/ }).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('puts a model on sale that the vendor lists, and another by hand', async () => {
    const { page, faults, close } = await open('/operator/models', usual)
    await page.getByRole('link', { name: 'Import from a vendor' }).click()
    await page.getByLabel('Vendor').selectOption('main')
    await page.getByRole('button', { name: 'Ask for the list' }).click()
    await page.getByText('1 new model of 3').waitFor()
    await page.getByRole('checkbox', { name: 'Choose claude-sonnet-4-5' }).check()
    await look(page, 'prices-import-chosen', usual)
    await page.getByRole('button', { name: 'Put 1 model on sale' }).click()
    await page.getByText('1 model is on sale now.').waitFor()
    await page.getByRole('button', { name: 'Ask for the list' }).click()
    await page.getByRole('link', { name: 'Add by hand' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Id', { exact: true }).inputValue()).toBe('house-model')
    await dialog.getByLabel('Input', { exact: true }).fill('1')
    await dialog.getByLabel('Output', { exact: true }).fill('2')
    await look(page, 'prices-new-model', usual)
    await dialog.getByRole('button', { name: 'Put on sale' }).click()
    await page.getByRole('heading', { name: 'house-model', level: 1 }).waitFor()
    await page.getByRole('tab', { name: 'Routes' }).click()
    await page.getByText('Its cost is not known.').waitFor()
    await page.getByRole('button', { name: 'Type the cost' }).click()
    await dialog.getByLabel('Input', { exact: true }).fill('0.5')
    await dialog.getByLabel('Output', { exact: true }).fill('1')
    await look(page, 'prices-cost', usual)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('+100%').first().waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('finds a model by typing, switches it off, and finds it off', async () => {
    const { page, faults, close } = await open('/operator', usual)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('gpt-4-turbo')
    await page
      .getByRole('option', { name: /gpt-4-turbo/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'GPT-4 Turbo', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('Off', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Routes' }).click()
    await page.getByRole('button', { name: 'Change routes' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Weight').fill('7')
    await look(page, 'prices-routes-form', usual)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('priority 0 · weight 7').waitFor()
    await page.getByRole('tab', { name: 'Traits' }).click()
    await page.getByRole('button', { name: 'Set a trait' }).click()
    await dialog.getByLabel('Trait').selectOption('tokenFactor')
    await dialog.getByLabel('Value (JSON)').fill('9')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Value (JSON)').fill('1.2')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('tokenFactor = 1.2').waitFor()
    await page.goto(`${suite.origin}/app/operator/models?state=not_on_sale`)
    await page.getByText('gpt-4-turbo', { exact: true }).waitFor()
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
    await close()
  })
})

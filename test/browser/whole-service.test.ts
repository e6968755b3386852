import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { systemClock } from '../../src/domain/clock'
import { codeAt, operatorPassword } from '../console/operator-visitor'
import { visit, type Looks } from '../support/browser'
import { printedWord } from '../console/visitor'
import { browserSuite, codeSent } from '../support/browser-suite'
import { run, temporaryFolder } from '../support/executable'

/** A vendor that lists one model and answers every call with it. */
const vendor = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ url }) =>
    url.endsWith('/models')
      ? Response.json({ data: [{ id: 'house-model' }] })
      : Response.json({
          id: 'chat-1',
          object: 'chat.completion',
          created: 1,
          model: 'house-model',
          choices: [
            { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hi' } },
          ],
          usage: { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 },
        }),
})
afterAll(() => vendor.stop(true))

const data = temporaryFolder()
const suite = browserSuite({
  args: ['--data', data, '--demo'],
  clean: () => rmSync(data, { recursive: true, force: true }),
})
/** The link of the first operator. */
const printedLink = async (): Promise<string> =>
  (await run(['operator', 'link'], { data })).stdout.trim()

const usual: Looks = { language: 'en', scheme: 'light', width: 1280 }

test('a fresh folder comes to an operator, a vendor, a priced model and a customer who pays for a call in less than a minute', async () => {
  const began = performance.now()
  const link = await printedLink()
  const { page, faults, close } = await visit(suite.origin, usual)
  const dialog = page.getByRole('dialog')
  await page.goto(link)
  const secret = await page.getByLabel('Key for the authenticator app').innerText()
  await page.getByLabel('Name', { exact: true }).fill('sara')
  await page.getByLabel('Password', { exact: true }).fill(operatorPassword)
  await page.getByLabel('One-time code').fill(codeAt(secret, systemClock.now()))
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('button', { name: 'I saved them' }).click()

  await page.getByRole('link', { name: 'Vendors' }).click()
  await page.getByRole('button', { name: 'Add vendor' }).click()
  await dialog.getByLabel('Name').fill('house')
  await dialog.getByLabel('What it speaks').selectOption('openai')
  await dialog.getByLabel('Address').fill(`http://127.0.0.1:${vendor.port}/v1`)
  await dialog.getByLabel('Our key there').fill('sk-house-0123456789')
  await dialog.getByRole('button', { name: 'Test and add' }).click()
  await page.getByText('It answers and lists one model.').waitFor()

  await page.goto(`${suite.origin}/app/operator/model-imports`)
  await page.getByLabel('Vendor').selectOption('house')
  await page.getByRole('button', { name: 'Ask for the list' }).click()
  await page.getByRole('link', { name: 'Add by hand' }).click()
  await dialog.getByLabel('Input', { exact: true }).fill('1')
  await dialog.getByLabel('Output', { exact: true }).fill('2')
  await dialog.getByRole('button', { name: 'Put on sale' }).click()
  await page.getByRole('heading', { name: 'house-model', level: 1 }).waitFor()

  await page.getByRole('link', { name: 'Payments' }).click()
  await page.getByLabel('New rate, in tomans').fill('100000')
  await page.getByRole('button', { name: 'Set rate' }).click()
  await page.getByText('100,000 tomans').first().waitFor()

  const customer = await visit(suite.origin, usual)
  await customer.page.goto(`${suite.origin}/app`)
  await customer.page.getByLabel('Mobile number').fill('09123460000')
  const send = () => customer.page.getByRole('button', { name: 'Send code' }).click()
  await customer.page.keyboard.type(await codeSent(customer.page, suite.serving, send))
  await customer.page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await customer.page.goto(`${suite.origin}/app/credit`)
  await customer.page.getByLabel('Another amount').fill('50,000')
  await customer.page.getByRole('button', { name: 'Pay 50,000 toman' }).click()
  const word = customer.page.getByLabel('One-time word')
  await word.waitFor()
  await word.fill(printedWord(suite.serving.logs()))
  await customer.page.getByRole('button', { name: 'Pay', exact: true }).click()
  await customer.page.getByText('Credit added').first().waitFor()
  await customer.page.goto(`${suite.origin}/app/keys`)
  await customer.page.getByRole('button', { name: 'New key' }).first().click()
  const making = customer.page.getByRole('dialog')
  await making.getByLabel('Name').fill('first')
  await making.getByRole('button', { name: 'Create key' }).click()
  const key = await making.getByLabel('Key', { exact: true }).innerText()
  const answer = await fetch(`${suite.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'house-model', messages: [{ role: 'user', content: 'hello' }] }),
  })
  expect(answer.status).toBe(200)
  // 1,000 tokens in and 500 out, at one and two dollars a million.
  expect(answer.headers.get('x-cost-usd')).toBe('0.002000')
  expect(performance.now() - began).toBeLessThan(60_000)
  expect([...faults, ...customer.faults]).toEqual([])
  await customer.close()
  await close()
})

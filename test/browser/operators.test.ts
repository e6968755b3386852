import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { systemClock } from '../../src/domain/clock'
import { codeAt, operatorPassword } from '../console/operator-visitor'
import { visit, type Looks, type Visit } from '../support/browser'
import {
  allLooks,
  browserSuite,
  byLanguage,
  inEachLanguage,
  look,
  lookInAll,
} from '../support/browser-suite'
import { run, temporaryFolder } from '../support/executable'
import { givenCookie } from '../support/operator-pages'

const data = temporaryFolder()
const suite = browserSuite({
  args: ['--data', data, '--sandbox'],
  clean: () => rmSync(data, { recursive: true, force: true }),
})

const usual: Looks = { language: 'en', scheme: 'light', width: 1280 }

/** The link of the first operator: at a start without a terminal it is printed by its command alone. */
let link = ''
async function printLink(): Promise<string> {
  expect(suite.serving.logs()).toContain('chapar operator link')
  expect(suite.serving.logs()).not.toContain('setup#')
  return (await run(['operator', 'link'], { data })).stdout.trim()
}

/** Cookies of the owner, for pages that are looked at later. */
let signedIn: Awaited<ReturnType<Visit['context']['cookies']>> = []
let secret = ''

const operatorCookies = () =>
  signedIn
    .filter(({ name }) => name.endsWith('chapar-operator'))
    .map(({ name, value }) => givenCookie(`${name}=${value}`, suite.origin))

/** Of the customer, for calls that pages show. */
let customerKey = ''

/** @returns the status of a call */
const callWith = async (key: string): Promise<number> => {
  const answer = await fetch(`${suite.serving.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'sandbox/echo', messages: [{ role: 'user', content: 'hello' }] }),
  })
  await answer.text()
  return answer.status
}

const fill = async (page: Page, label: string, text: string) =>
  await page.getByLabel(label, { exact: true }).fill(text)

describe('the first operator', () => {
  test('comes by the printed link, makes a customer, and their key pays for a call', async () => {
    const { page, context, faults, close } = await visit(suite.origin, usual)
    link = await printLink()
    await page.goto(link)
    await page.getByRole('heading', { name: 'New operator' }).waitFor()
    secret = await page.getByLabel('Key for the authenticator app').innerText()
    await fill(page, 'Name', 'sara')
    await fill(page, 'Password', operatorPassword)
    await fill(page, 'One-time code', codeAt(secret, systemClock.now()))
    await look(page, 'operator-setup', usual)
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    await look(page, 'operator-recovery', usual)
    expect(page.url()).not.toContain('#')
    await page.getByRole('button', { name: 'I saved them' }).click()

    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Accounts' }).click()
    await page.getByRole('button', { name: 'New account' }).click()
    await fill(page, 'Name of the account', 'نان سنگک')
    await page.getByRole('button', { name: 'Make account' }).click()
    await page.getByRole('heading', { name: 'نان سنگک' }).waitFor()
    await page.getByRole('button', { name: 'Add money' }).click()
    await fill(page, 'Amount', '20')
    await page.getByRole('button', { name: 'Add $20.00' }).click()
    await page.getByText('$20.00', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Projects and keys' }).click()
    await page.getByRole('button', { name: 'New project' }).click()
    await fill(page, 'Name', 'web')
    await page.getByRole('button', { name: 'Make', exact: true }).click()
    await page.getByRole('button', { name: 'New key' }).click()
    await fill(page, 'Name', 'laptop')
    await page.getByRole('button', { name: 'Make', exact: true }).click()
    await page.getByRole('heading', { name: 'Key made' }).waitFor()
    const key = await page.getByLabel('Key', { exact: true }).innerText()
    await page.getByRole('button', { name: 'I handed it over' }).click()

    customerKey = key
    expect(await callWith(key)).toBe(200)
    await page.getByRole('tab', { name: 'Requests' }).click()
    await page.getByText('sandbox/echo').waitFor()
    expect(faults).toEqual([])
    signedIn = await context.cookies()
    await close()
  })

  test('is the only one: the link works once', async () => {
    const { page, faults, close } = await visit(suite.origin, usual)
    await page.goto(link)
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('This link was used')
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
    await close()
  })

  test('signs in by name, password and a code', async () => {
    const { page, close } = await visit(suite.origin, usual)
    await page.goto(`${suite.origin}/app/operator`)
    await fill(page, 'Name', 'sara')
    await fill(page, 'Password', operatorPassword)
    await fill(page, 'One-time code', '000000')
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('wrong')
    // The one of the set-up was used: the next one is taken before its time.
    const soon = (systemClock.now() + 30_000) as ReturnType<typeof systemClock.now>
    await fill(page, 'One-time code', codeAt(secret, soon))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
    await close()
  })
})

const pages = [
  ['operator-overview', '/operator'],
  ['operator-accounts', '/operator/accounts'],
  ['operator-videos', '/operator/videos'],
  ['operator-realtime', '/operator/realtime'],
  ['operator-account', '/operator/accounts/1'],
  ['operator-settings', '/operator/settings'],
  ['operator-trail', '/operator/trail'],
  ['operator-health', '/operator/health'],
  ['operator-operators', '/operator/operators'],
] as const

describe('pages of operators', () => {
  test(
    'are whole in both languages',
    inEachLanguage(allLooks, async (looks) => {
      const { page, context, faults, close } = await visit(
        suite.origin,
        looks[0] ?? expect.unreachable(),
      )
      await context.addCookies(operatorCookies())
      for (const [name, path] of pages) {
        await page.goto(`${suite.origin}/app${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await lookInAll(page, name, looks)
      }
      expect(faults).toEqual([])
      await close()
    }),
  )
})

describe('live requests', () => {
  test.each(byLanguage(allLooks))(
    'are whole in $language, and a new one shows up by itself',
    async ({ looks }) => {
      const { page, context, faults, close } = await visit(
        suite.origin,
        looks[0] ?? expect.unreachable(),
      )
      await context.addCookies(operatorCookies())
      await page.goto(`${suite.origin}/app/operator/live`)
      const call = page.locator('summary').filter({ hasText: 'sandbox/echo' })
      await call.first().waitFor()
      const before = await call.count()
      const sent = await callWith(customerKey)
      expect(sent).toBe(200)
      await call.nth(before).waitFor()
      await call.first().click()
      await page.getByText('sandbox echo', { exact: true }).first().waitFor()
      await lookInAll(page, 'operator-live', looks, { streams: true })
      expect(faults).toEqual([])
      await close()
    },
  )
})

test('the entrance of operators is whole', async () => {
  for (const { looks } of byLanguage(allLooks)) {
    const { page, close } = await visit(suite.origin, looks[0] ?? expect.unreachable())
    await page.goto(`${suite.origin}/app/operator`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await lookInAll(page, 'operator-sign-in', looks)
    await close()
  }
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { createRedeemCodes } from '../../src/business/payments/vouchers'
import { systemClock } from '../../src/domain/clock'
import { systemPaymentId } from '../../src/domain/ids'
import { parseUsd } from '../../src/domain/money'
import { parsePhone } from '../../src/domain/phone'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { parseNationalCode } from '../../src/business/verification/national-code'
import type { Looks } from '../support/browser'
import { allLooks, browserSuite, inEachLanguage, look } from '../support/browser-suite'
import { temporaryFolder } from '../support/executable'
import { openAsOwner, signInOwner, type OwnerIn } from '../support/operator-pages'
import { nationalCode } from '../verification/codes'

const data = temporaryFolder()
await seed()
const suite = browserSuite({
  args: ['--data', data, '--sandbox'],
  clean: () => rmSync(data, { recursive: true, force: true }),
})

/** Somebody who waits to be verified, payments in each state, and codes. */
async function seed() {
  const storage = openStorage({ folder: data, exclusive: false, clock: systemClock })
  try {
    const phone = parsePhone('09123456789')
    const code = parseNationalCode(nationalCode(1_234_567))
    if (phone === null || code === null) throw new Error('no phone, or no code')
    const who = await storage.people.begin(phone, { account: 'نان سنگک', project: 'web' })
    const at = systemClock.now()
    await storage.verifications.submit(
      {
        ...who,
        identity: {
          firstName: 'سارا',
          lastName: 'رضایی',
          birthDate: '1990-03-21',
          nationalCode: code,
        },
        provider: 'manual',
        at,
      },
      { personAccounts: 1, triesPerDay: 3 },
    )
    await storage.payments.setRate('100000', 'command:test')
    for (const state of ['started', 'refused', 'credited'] as const) {
      const id = systemPaymentId()
      await storage.cardPayments.begin(
        {
          id,
          account: who.account,
          person: who.person,
          gateway: 'main',
          kind: 'zarinpal',
          coins: { count: 500_000, rate: '100000', until: (at + 900_000) as typeof at },
          amount: parseUsd('5'),
          charge: { currency: 'IRR', amount: 5_000_000 },
          created: at,
          due: (at + 3_600_000) as typeof at,
        },
        { max: 10, since: at },
      )
      await storage.cardPayments.refer(id, `A0000000000${state}`)
      if (state === 'refused')
        await storage.cardPayments.note(id, { state, code: '-51', due: null })
      if (state === 'credited')
        await storage.cardPayments.credit(id, { state: 'paid', receipt: '201', card: '6037-99' })
    }
    await createRedeemCodes(
      { store: storage.redeemCodes, clock: systemClock, hashOf: (text) => text.padEnd(64, '0') },
      { amount: parseUsd('10'), count: 3, batch: 'نوروز', expires: null, by: 'command:test' },
    )
  } finally {
    await storage.close()
  }
}

let owner: OwnerIn
beforeAll(async () => {
  owner = await signInOwner(suite.origin, data)
  await fetch(`${suite.origin}/app/api/operator/notices/sample`, {
    method: 'POST',
    headers: {
      origin: suite.origin,
      'sec-fetch-site': 'same-origin',
      cookie: owner.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    },
  })
})

const usual: Looks = { language: 'en', scheme: 'light', width: 1280 }

const open = (path: string, looks: Looks) => openAsOwner(suite.origin, owner, path, looks)

describe.each([
  ['desk-steps', '/operator/first-steps'],
  ['desk-payments', '/operator/payments'],
  ['desk-verifications', '/operator/verifications'],
  ['desk-codes', '/operator/codes'],
  ['desk-notices', '/operator/notices'],
  ['desk-connections', '/operator/connections'],
  ['desk-notes', '/operator/accounts/1?tab=notes'],
] as const)('%s', (name, path) => {
  test(
    'is whole in both languages',
    inEachLanguage(allLooks, async (all) => {
      const looks = all[0] ?? usual
      const { page, faults, close } = await open(path, looks)
      await look(page, name, looks)
      expect(faults).toEqual([])
      await close()
    }),
  )
})

describe('an operator', () => {
  test('approves whoever waits, who is gone from the queue then', async () => {
    const { page, faults, close } = await open('/operator/verifications', usual)
    await page.getByText('سارا رضایی').waitFor()
    await page.getByRole('button', { name: 'Show whole' }).click()
    await page.getByText(nationalCode(1_234_567)).waitFor()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await page.getByText('No request').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('makes codes that are shown once, and revokes a batch', async () => {
    const { page, close } = await open('/operator/codes', usual)
    await page.getByRole('button', { name: 'Make codes' }).click()
    await page.getByLabel('Worth of each').fill('2.5')
    await page.getByLabel('How many').fill('2')
    await page.getByRole('dialog').getByLabel('Batch').fill('winter')
    await page.getByRole('button', { name: 'Make 2 codes, $5.00 in all' }).click()
    const shown = await page.getByRole('group', { name: 'Codes' }).innerText()
    expect(shown).toMatch(/^(?:\d{4}-){4}\d{4}\n(?:\d{4}-){4}\d{4}$/)
    await look(page, 'desk-codes-made', usual)
    await page.getByRole('button', { name: 'I saved them' }).click()
    await page.getByLabel('Batch').fill('winter')
    await page.getByRole('button', { name: 'Revoke batch' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('revoked').nth(1).waitFor()
    await close()
  })

  test('finds an account, a setting and a page by typing, and goes there by the keyboard', async () => {
    const { page, close } = await open('/operator', usual)
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search everything' })
    await field.fill('سنگک')
    await page.getByRole('option', { name: /نان سنگک/ }).waitFor()
    await look(page, 'desk-palette', usual)
    await field.press('Enter')
    await page.getByRole('heading', { name: 'نان سنگک' }).waitFor()
    await page.keyboard.press('Control+k')
    await field.fill('wrong-redeem')
    // At once: what is asked for is not there yet.
    await field.press('Enter')
    await page.getByRole('heading', { name: 'Service settings' }).waitFor()
    await close()
  })

  test('sets back what they have just changed', async () => {
    const { page, close } = await open('/operator/accounts/1', usual)
    await page.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
    const undo = page.getByRole('status').getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    await look(page, 'desk-undo', usual)
    await undo.click()
    await page.getByRole('button', { name: 'Suspend' }).waitFor()
    await close()
  })

  test('has each step tried by its own button', async () => {
    const { page, close } = await open('/operator/first-steps', usual)
    const row = page.getByRole('listitem').filter({ hasText: 'Rate of the dollar' })
    await row.getByRole('button', { name: 'Test' }).click()
    await page.getByText('Ten dollars are 1000000 tomans.').waitFor()
    const gateway = page.getByRole('listitem').filter({ hasText: 'Card gateway' })
    await gateway.getByRole('button', { name: 'Test' }).click()
    await page.getByText('Nothing is set up yet.').waitFor()
    await look(page, 'desk-steps-tried', usual)
    await close()
  })
})

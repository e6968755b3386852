import { beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { systemClock } from '../../src/domain/clock'
import { makeLink } from '../../src/business/operators/setup-links'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { codeAt, openOperatorVisitor, operatorPassword } from '../console/operator-visitor'
import { openVisitor } from '../console/visitor'
import { givenCookie } from '../support/operator-pages'
import { visit, type Looks } from '../support/browser'
import { allLooks, browserSuite, inEachLanguage, look, lookInAll } from '../support/browser-suite'
import { temporaryFolder } from '../support/executable'

const data = temporaryFolder()
const suite = browserSuite({
  args: ['--data', data, '--sandbox', '--demo'],
  clean: () => rmSync(data, { recursive: true, force: true }),
})

const english: Looks = { language: 'en', scheme: 'light', width: 1280 }
const persian: Looks = { language: 'fa', scheme: 'light', width: 390 }

/** A link of the first owner's, in the place of the one that was printed. */
async function linked() {
  const storage = openStorage({ folder: data, exclusive: false, clock: systemClock })
  const made = makeLink(storage.pepper, systemClock.now())
  await storage.operators.link(null, made.link)
  await storage.close()
  return made
}

let cookies: ReturnType<typeof givenCookie>[] = []
let account = 0
let group = 0
beforeAll(async () => {
  const owner = openOperatorVisitor(suite.origin)
  const { token, link } = await linked()
  const code = codeAt(link.totp, systemClock.now())
  const setUp = { token, name: 'sara', password: operatorPassword, code }
  expect((await owner.send('POST', '/setup', setUp)).status).toBe(200)
  cookies = [givenCookie(owner.cookie(), suite.origin)]
  const customer = openVisitor(suite.serving)
  await customer.signIn('09123456789')
  const me = (await customer.send('GET', '/me')).body as { account: { id: number } }
  account = me.account.id
})

const fill = async (page: Page, label: string, text: string) =>
  await page.getByLabel(label, { exact: true }).fill(text)

async function opened(path: string, as: Looks) {
  const visited = await visit(suite.origin, as)
  await visited.context.addCookies(cookies)
  await visited.page.goto(`${suite.origin}${path}`)
  return visited
}

describe('the console', () => {
  test('makes a group, gives it a rule and an account, and says what moved', async () => {
    const { page, faults, close } = await opened('/app/operator/groups', english)
    await page.getByText('No groups yet').waitFor()
    await look(page, 'groups-empty', english)
    await page.getByRole('button', { name: 'New group' }).click()
    await fill(page, 'Name of the group', 'همکاران')
    await fill(page, 'Daily cap', '50')
    await page.getByRole('button', { name: 'Make the group' }).click()
    await page.getByRole('heading', { name: 'همکاران', level: 1 }).waitFor()
    group = Number(/groups\/(\d+)/.exec(page.url())?.[1])
    await page.getByRole('button', { name: 'New rule' }).click()
    await fill(page, 'Percent', '-12.5')
    await look(page, 'group-rule', english)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('12.5% below everybody’s price').waitFor()
    await page.getByText(/prices of \d+ models moved/).waitFor()
    await page.goto(`${suite.origin}/app/operator/accounts/${account}`)
    await page.getByRole('button', { name: 'Name, group and limits' }).click()
    await page.getByLabel('Group', { exact: true }).selectOption({ label: 'همکاران' })
    await look(page, 'account-group', english)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'همکاران' }).click()
    await page.getByText('1 account', { exact: true }).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test(
    'shows groups as they are',
    inEachLanguage(allLooks, async (all) => {
      const { page, faults, close } = await opened('/app/operator/groups', all[0] ?? english)
      await page.getByText('همکاران').waitFor()
      await lookInAll(page, 'groups', all)
      await page.goto(`${suite.origin}/app/operator/groups/${group}`)
      await page.getByRole('heading', { name: 'همکاران', level: 1 }).waitFor()
      await lookInAll(page, 'group', all)
      await page.goto(`${suite.origin}/app/operator/settings`)
      await page.getByText('kyc-ceiling', { exact: true }).waitFor()
      await lookInAll(page, 'settings-meanings', all)
      expect(faults).toEqual([])
      await close()
    }),
  )

  test('sees an account as its owner does, and comes back', async () => {
    for (const as of [english, persian]) {
      const isFa = as.language === 'fa'
      const { page, close } = await opened(`/app/operator/accounts/${account}`, as)
      await page
        .getByRole('button', { name: isFa ? 'دیدن از چشم مالک' : 'See as its owner' })
        .click()
      await page.getByRole('button', { name: isFa ? 'دیدن حساب' : 'See the account' }).click()
      const leave = page.getByRole('button', { name: isFa ? 'خروج از این نما' : 'Leave this view' })
      await leave.waitFor()
      await look(page, 'look', as)
      await page.goto(`${suite.origin}/app/account`)
      await page.getByText(isFa ? 'اکنون می‌بیند' : 'looking now').waitFor()
      await look(page, 'looks', as)
      await leave.click()
      await page.waitForURL(`**/app/operator/accounts/${account}`)
      await close()
    }
  })
})

import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { keyPrefix, readConfig } from '../config'
import type { AccountId } from '../domain/ids'
import { parseUsd, type NanoUsd } from '../domain/money'
import { hashSecret, makeSecret, secretPrefix } from '../identity/secret'
import type { Storage } from '../storage/storage'
import { withNewStorage, withStorage } from './leaf'
import { quickstartKey, quickstartKeyFile } from './reach'

const demoCredit = '5'

export interface DemoAccount {
  readonly account: AccountId
  readonly key: string
  readonly balance: NanoUsd
}

/** The account, project and key of the demonstration, with credit once; the same ones every time. */
export const openDemoAccount = (folder: string): DemoAccount =>
  withNewStorage({ data: folder }, (storage) => {
    const { directory } = storage
    const account =
      directory.listAccounts().find(({ name }) => name === 'demo') ??
      directory.createAccount({ name: 'demo', verified: true, concurrency: 100 })
    const credit = { account: account.id, amount: parseUsd(demoCredit), kind: 'topup' } as const
    const { balance } = directory.deposit({ ...credit, reference: 'quickstart-credit' })
    const key = keptKey(storage, folder) ?? makeKey(storage, folder, account.id)
    return { account: account.id, key, balance }
  })

/** The key of an earlier run, if this database still takes it. */
function keptKey({ identity, pepper }: Storage, folder: string): string | null {
  const kept = quickstartKey(folder)
  if (kept === null) return null
  const found = identity.findByHash(hashSecret(kept, pepper))
  return found?.caller.key.state === 'active' ? kept : null
}

function makeKey({ directory, pepper }: Storage, folder: string, account: AccountId): string {
  const project =
    directory.listProjects(account).find(({ active }) => active) ??
    directory.createProject({ account, name: 'demo' })
  const secret = makeSecret(keyPrefix(readConfig(process.env).services[0]))
  const key = {
    project: project.id,
    name: 'quickstart',
    requestsPerMinute: null,
    prefix: secretPrefix(secret),
  }
  directory.createKey(key, hashSecret(secret, pepper))
  const file = quickstartKeyFile(folder)
  // A file that is there keeps its mode whatever is asked for.
  rmSync(file, { force: true })
  writeFileSync(file, `${secret}\n`, { mode: 0o600 })
  chmodSync(file, 0o600)
  return secret
}

const settleMs = 2000
const lookMs = 5

/**
 * What is left after a call. The charge reaches the database a few milliseconds after the answer.
 * @param before the balance before it
 */
export async function balanceAfter(
  folder: string,
  { account, balance: before }: DemoAccount,
): Promise<NanoUsd> {
  for (let waitedMs = 0; ; waitedMs += lookMs) {
    const found = withStorage({ data: folder }, ({ directory }) => directory.findAccount(account))
    if (found === null) throw new Error('the demo account is gone')
    if (found.balance !== before || waitedMs >= settleMs) return found.balance
    await Bun.sleep(lookMs)
  }
}

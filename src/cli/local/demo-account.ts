import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { demoAccount, demoName, NoDemoFolder } from '../../business/accounts/demo-account'
import { setSandbox } from '../../business/catalogue/sandbox'
import { keyPrefix, readConfig } from '../../server/config'
import type { AccountId } from '../../domain/ids'
import type { NanoUsd } from '../../domain/money'
import { findHashed } from '../../domain/pepper'
import { hashSecret, makeSecret, secretPrefix } from '../../gateway/identity/secret'
import type { Storage } from '../../business/data/storage'
import { withNewStorage, withStorage } from '../kit/command'
import { quickstartKey, quickstartKeyFile } from './find-gateway'

interface DemoAccount {
  readonly account: AccountId
  readonly key: string
  readonly balance: NanoUsd
}

/**
 * The account, project and key of the demonstration, with credit once; the same ones every time. What
 * it is asked is on sale then.
 * @throws RangeError in a folder that has accounts of others
 */
export const openDemoAccount = (folder: string): Promise<DemoAccount> =>
  withNewStorage({ data: folder }, async (storage) => {
    const { id, balance } = await refusingFolder(folder, () => demoAccount(storage))
    await setSandbox(storage, true)
    const key = (await keptKey(storage, folder)) ?? (await makeKey(storage, folder, id))
    return { account: id, key, balance }
  })

async function refusingFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof NoDemoFolder)) throw thrown
    const { name } = thrown.facts
    throw new RangeError(
      `${folder} holds the account ${name}: demo credit would be money there. Leave out --data, or name another folder; chapar serve serves this one`,
      { cause: thrown },
    )
  }
}

/** The key of an earlier run, if this database still takes it. */
async function keptKey({ identity, pepper }: Storage, folder: string): Promise<string | null> {
  const kept = quickstartKey(folder)
  if (kept === null) return null
  const found = await findHashed(pepper, null, kept, identity.findByHash)
  return found?.caller.key.state === 'active' ? kept : null
}

async function makeKey(
  { directory, pepper }: Storage,
  folder: string,
  account: AccountId,
): Promise<string> {
  const project =
    (await directory.listProjects(account)).find(({ active }) => active) ??
    (await directory.createProject({ account, name: demoName }))
  const secret = makeSecret(keyPrefix(readConfig(process.env).services[0]))
  const key = {
    project: project.id,
    name: 'quickstart',
    requestsPerMinute: null,
    prefix: secretPrefix(secret),
  }
  await directory.createKey(key, hashSecret(secret, pepper))
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
 * Balance after a call. The charge reaches the database a few milliseconds after the answer.
 * @param before the balance before it
 */
export async function balanceAfter(
  folder: string,
  { account, balance: before }: DemoAccount,
): Promise<NanoUsd> {
  for (let waitedMs = 0; ; waitedMs += lookMs) {
    const found = await withStorage({ data: folder }, ({ directory }) =>
      directory.findAccount(account),
    )
    if (found === null) throw new Error('the demo account is gone')
    if (found.balance !== before || waitedMs >= settleMs) return found.balance
    await Bun.sleep(lookMs)
  }
}

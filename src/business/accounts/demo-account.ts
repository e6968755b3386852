import type { Account } from '../../domain/caller'
import { parseUsd, type NanoUsd } from '../../domain/money'
import type { Storage } from '../data/storage'

export const demoName = 'demo'
const demoCredit = parseUsd('5')

/** Where others have accounts, nobody is given credit: `name` is one of theirs. */
export class NoDemoFolder extends Error {
  readonly code = 'no_demo_folder'

  constructor(readonly facts: { readonly name: string }) {
    super('a folder with accounts of others')
    this.name = 'NoDemoFolder'
  }
}

/**
 * The account of the demonstration, with credit once.
 * @throws NoDemoFolder
 */
export async function demoAccount({ directory }: Pick<Storage, 'directory'>): Promise<{
  readonly id: Account['id']
  readonly balance: NanoUsd
}> {
  const accounts = await directory.listAccounts()
  const other = accounts.find(({ name }) => name !== demoName)
  if (other !== undefined) throw new NoDemoFolder({ name: other.name })
  const { id } =
    accounts[0] ??
    (await directory.createAccount({ name: demoName, verified: true, concurrency: 100 }))
  const credit = { account: id, amount: demoCredit, kind: 'topup' } as const
  return {
    id,
    balance: (await directory.deposit({ ...credit, reference: 'quickstart-credit' })).balance,
  }
}

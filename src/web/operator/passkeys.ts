import { ask } from '../client'
import type { PasskeyBook } from '../parts/account/passkey-list'
import { madeByBrowser, signedByBrowser } from '../passkeys'
import type { OperatorMe } from './me'
import { door } from './operate'

/** Passkeys of an operator. @param password typed for a new one: a page left open makes none */
export const operatorPasskeys = (password: string): PasskeyBook => ({
  queryKey: ['op', 'passkeys'],
  sessionsKey: ['op', 'sessions'],
  list: () => ask(door.passkeys.get()),
  async make(name) {
    const credential = await madeByBrowser(await ask(door.passkeys.options.post({ password })))
    await ask(door.passkeys.post({ name, credential }))
  },
  rename: (id, name) => ask(door.passkeys({ id }).patch({ name })),
  remove: (id) => ask(door.passkeys({ id }).delete()),
})

const sign = async () => await signedByBrowser(await ask(door['sign-in'].passkey.options.post()))

/** Signs in by a passkey alone. @throws ApiError */
export const enterByPasskey = async (): Promise<OperatorMe> =>
  await ask(door['sign-in'].passkey.post(await sign()))

/** Shows by a passkey that it is still the operator who is at the page. @throws ApiError */
export const proveByPasskey = async () => await ask(door.proof.passkey.post(await sign()))

/** Signs in by password, and a passkey in the place of a code. @throws ApiError */
export const enterByBoth = async (name: string, password: string): Promise<OperatorMe> =>
  await ask(door['sign-in'].post({ name, password, passkey: await sign() }))

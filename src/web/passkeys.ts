import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { api, ApiError, ask } from './client'
import type { Me } from './me'

/** Whether this browser has passkeys, and may use them here: only on secure pages. */
export const hasPasskeys = (): boolean =>
  window.isSecureContext && typeof window.PublicKeyCredential === 'function'

/** Makes a passkey on this device, or with one that is near. @throws ApiError */
export async function makePasskey(name: string): Promise<void> {
  const credential = await madeByBrowser(await ask(api.passkeys.options.post()))
  await ask(api.passkeys.post({ name, credential }))
}

/** Signs in by whichever passkey for this site the person picks. @throws ApiError */
export const enterByPasskey = async (): Promise<Me> =>
  await ask(
    api['sign-in'].passkey.post(
      await signedByBrowser(await ask(api['sign-in'].passkey.options.post())),
    ),
  )

/** A new passkey as its browser made it. @throws ApiError */
export async function madeByBrowser(optionsJSON: PublicKeyCredentialCreationOptionsJSON) {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return await byBrowser(startRegistration({ optionsJSON }))
}

/** Signature of a browser by the passkey that was picked. @throws ApiError */
export async function signedByBrowser(optionsJSON: PublicKeyCredentialRequestOptionsJSON) {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { response, ...credential } = await byBrowser(startAuthentication({ optionsJSON }))
  // Every passkey of ours is kept with the name of its owner.
  return { ...credential, response: { ...response, userHandle: response.userHandle ?? '' } }
}

/** A browser's refusal as one that has a text. */
async function byBrowser<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (thrown) {
    const name = thrown instanceof Error ? thrown.name : ''
    if (name === 'InvalidStateError') throw new ApiError(0, 'passkey_known', {})
    if (name === 'SecurityError') throw new ApiError(0, 'passkeys_unavailable', {})
    throw new ApiError(0, 'passkey_cancelled', {})
  }
}

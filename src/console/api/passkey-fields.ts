import { Type, type Static } from '@sinclair/typebox'
import { textForms } from '../../business/operations/refusals/text-forms'
import type { Passkey } from '../../business/users/passkey'

const maxPartLength = 16_384
const Part = Type.String({ minLength: 1, maxLength: maxPartLength, pattern: textForms.base64url })
export const CredentialId = Type.String({
  minLength: 16,
  maxLength: 1400,
  pattern: textForms.base64url,
})
/** Browsers say more than is needed. */
const open = { additionalProperties: true }
const credential = {
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
}
/** Passkey as a browser made it (Web Authentication Level 3, `RegistrationResponseJSON`). */
export const MadePasskey = Type.Object(
  {
    ...credential,
    response: Type.Object(
      {
        clientDataJSON: Part,
        attestationObject: Part,
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 8 })),
      },
      open,
    ),
  },
  open,
)
/** Signed answer of a browser (same, `AuthenticationResponseJSON`). */
export const SignedPasskey = Type.Object(
  {
    ...credential,
    response: Type.Object(
      { clientDataJSON: Part, authenticatorData: Part, signature: Part, userHandle: Part },
      open,
    ),
  },
  open,
)

export const passkeyView = ({ id, name, created, lastUsed, backedUp }: Omit<Passkey, 'owner'>) => ({
  id,
  name,
  created: created as number,
  last_used: lastUsed as number | null,
  backed_up: backedUp,
})

export const signedBy = ({ id, rawId, type, response }: Static<typeof SignedPasskey>) => ({
  id,
  rawId,
  type,
  response,
  clientExtensionResults: {},
})

export const responseOf = ({ id, rawId, type, response }: Static<typeof MadePasskey>) => ({
  id,
  rawId,
  type,
  response: {
    clientDataJSON: response.clientDataJSON,
    attestationObject: response.attestationObject,
    transports: response.transports ?? [],
  },
  clientExtensionResults: {},
})

import { Button, Skeleton, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { api, ask } from '../../client'
import { useNumbers } from '../../numbers'
import { hasPasskeys, signedByBrowser } from '../../passkeys'
import { sendProofCode } from '../../send-code'
import { CodeFields } from './code-fields'
import { Failed } from '../failed'
import { PasskeyProof, ProofQuestion } from './proof-question'

const proveByPasskey = async () =>
  await ask(
    api.proof.passkey.post(await signedByBrowser(await ask(api.proof.passkey.options.post()))),
  )

/** Question of who is at the page, for customers. */
export const ProofDialog = () => (
  <ProofQuestion>{(onProven) => <Proof onProven={onProven} />}</ProofQuestion>
)

function Proof({ onProven }: { readonly onProven: () => void }) {
  const t = useTranslations('proof')
  const { digits } = useNumbers()
  const ways = useQuery({
    queryKey: ['proof'],
    queryFn: () => ask(api.proof.get()),
    staleTime: 0,
  })
  const send = useMutation({ mutationFn: sendProofCode })
  const byPasskey = useMutation({ mutationFn: proveByPasskey, onSuccess: onProven })
  if (ways.data === undefined)
    return ways.isError ? <Failed error={ways.error} /> : <Skeleton h={88} />
  const { phone, has_passkey: hasPasskey } = ways.data
  const offersPasskey = hasPasskey && hasPasskeys()
  const number = (shown: string) => `\u2066${digits(shown)}\u2069`
  if (send.data !== undefined)
    return (
      <>
        <Text size="sm">{t('sent', { number: number(send.data.phone) })}</Text>
        <CodeFields
          sent={send.data}
          check={(code) => ask(api.proof.code.check.post({ code }))}
          again={sendProofCode}
          onIn={onProven}
        />
      </>
    )
  return (
    <>
      <Failed error={byPasskey.error ?? send.error} />
      {offersPasskey && (
        <PasskeyProof isPending={byPasskey.isPending} prove={() => byPasskey.mutate()} />
      )}
      {phone !== null && (
        <Button
          variant={offersPasskey ? 'default' : 'filled'}
          loading={send.isPending}
          onClick={() => send.mutate()}
          {...(offersPasskey ? {} : { 'data-autofocus': true })}
        >
          {t('code', { number: number(phone) })}
        </Button>
      )}
    </>
  )
}

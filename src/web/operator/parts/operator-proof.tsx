import { Button, Skeleton, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ask } from '../../client'
import { Failed } from '../../parts/failed'
import { PasskeyProof, ProofQuestion } from '../../parts/proof-question'
import { hasPasskeys } from '../../passkeys'
import { door } from '../operate'
import { operatorPasskeys, proveByPasskey } from '../passkeys'
import { PasswordField } from './password-field'
import { Form } from '../../parts/form'

/** Question of who is at the page, for operators. */
export const OperatorProof = () => (
  <ProofQuestion>{(onProven) => <Proof onProven={onProven} />}</ProofQuestion>
)

function Proof({ onProven }: { readonly onProven: () => void }) {
  const t = useTranslations('operatorProof')
  const [password, setPassword] = useState('')
  const { queryKey, list } = operatorPasskeys('')
  const passkeys = useQuery({ queryKey, queryFn: list })
  const byPasskey = useMutation({ mutationFn: proveByPasskey, onSuccess: onProven })
  const byPassword = useMutation({
    mutationFn: () => ask(door.proof.password.post({ password })),
    onSuccess: onProven,
  })
  if (passkeys.isPending) return <Skeleton h={88} />
  // A list that cannot be read takes the password all the same.
  const offersPasskey = passkeys.data !== undefined && passkeys.data.length > 0 && hasPasskeys()
  return (
    <>
      <Failed error={byPasskey.error ?? byPassword.error} />
      {offersPasskey && (
        <PasskeyProof isPending={byPasskey.isPending} prove={() => byPasskey.mutate()} />
      )}
      <Form onSubmit={() => byPassword.mutate()}>
        <Stack>
          <PasswordField
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant={offersPasskey ? 'default' : 'filled'}
            disabled={password === ''}
            loading={byPassword.isPending}
          >
            {t('password')}
          </Button>
        </Stack>
      </Form>
    </>
  )
}

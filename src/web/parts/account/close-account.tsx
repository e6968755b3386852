import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../../client'
import { forgetMe, type Me } from '../../me'
import { useNumbers } from '../../numbers'
import { Dialog } from '../dialog'
import { Failed } from '../failed'
import { Panel } from '../panel'
import { Form } from '../form'

/** Dialog that closes the account for good; it says first what is left, and what becomes of it. */
export function CloseAccount({ me }: { readonly me: Me }) {
  const t = useTranslations('account')
  const { usd } = useNumbers()
  const [opened, { open, close }] = useDisclosure(false)
  const hasMoney = Number(me.account.balance_usd) > 0
  return (
    <Panel id="closing" title={t('closing')} lead={t('closingLead')}>
      {hasMoney && (
        <Text size="sm" mb="sm" fw={600}>
          {t('left', { amount: usd(me.account.balance_usd) })}
        </Text>
      )}
      <Button variant="light" color="red" onClick={open}>
        {t('close')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('closing')}>
        <Closing me={me} hasMoney={hasMoney} onKeep={close} />
      </Dialog>
    </Panel>
  )
}

interface ClosingProps {
  readonly me: Me
  readonly hasMoney: boolean
  readonly onKeep: () => void
}

function Closing({ me: { account }, hasMoney, onKeep }: ClosingProps) {
  const t = useTranslations('account')
  const { usd, digits } = useNumbers()
  const [typed, setTyped] = useState('')
  const end = useMutation({
    mutationFn: () => ask(api.account.close.post({ name: typed })),
    onSuccess: forgetMe,
  })
  const amount = usd(account.balance_usd)
  // On one line: a number that is torn is hard to read.
  const name = `\u2068${digits(account.name)}\u2069`.replaceAll(' ', '\u00a0')
  return (
    <Form onSubmit={() => end.mutate()}>
      <Stack>
        <Text size="sm">{hasMoney ? t('left', { amount }) : t('closingLead')}</Text>
        <TextInput
          label={t(hasMoney ? 'typeName' : 'typeNameEmpty', { name })}
          value={typed}
          dir="auto"
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
        <Failed error={end.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onKeep}>
            {t('keep')}
          </Button>
          <Button type="submit" color="red" disabled={typed.trim() === ''} loading={end.isPending}>
            {hasMoney ? t('giveUp', { amount }) : t('closeNow')}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../../client'
import type { Key } from '../../key-values'
import { Dialog } from '../dialog'
import { Failed } from '../failed'
import { Form } from '../form'

interface RevokeKeyProps {
  readonly item: Key
  readonly onRevoked: (key: Key) => void
}

/** Dialog that revokes a key for good, once its name has been typed. */
export function RevokeKey({ item, onRevoked }: RevokeKeyProps) {
  const t = useTranslations('revoking')
  const [opened, { open, close }] = useDisclosure(false)
  const [typed, setTyped] = useState('')
  const revoke = useMutation({
    mutationFn: () => ask(api.keys({ id: item.id }).revoke.post({ name: typed })),
    onSuccess(key) {
      close()
      onRevoked(key)
    },
  })
  return (
    <>
      <Button variant="light" color="red" onClick={open}>
        {t('revoke')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('title')}>
        <Form onSubmit={() => revoke.mutate()}>
          <Stack>
            <Text size="sm">{t('lead')}</Text>
            <TextInput
              label={t('typeName', { name: `\u2068${item.name}\u2069` })}
              value={typed}
              dir="auto"
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
            <Failed error={revoke.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                {t('keep')}
              </Button>
              <Button
                type="submit"
                color="red"
                disabled={typed.trim() !== item.name}
                loading={revoke.isPending}
              >
                {t('revokeNow')}
              </Button>
            </Group>
          </Stack>
        </Form>
      </Dialog>
    </>
  )
}

import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../../client'
import { Dialog } from '../dialog'
import { Failed } from '../failed'
import { Form } from '../form'

interface InviteDialogProps {
  readonly onInvited: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks somebody into the account, by their number. */
export function InviteDialog({ onInvited, onClose }: InviteDialogProps) {
  const t = useTranslations('members')
  const home = useTranslations('home')
  const [phone, setPhone] = useState('')
  const [role, setRole] = useState<'member' | 'owner'>('member')
  const invite = useMutation({
    mutationFn: () => ask(api.members.invitations.post({ phone, role })),
    async onSuccess() {
      await onInvited()
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t('inviteTitle')}>
      <Form onSubmit={() => invite.mutate()}>
        <Stack>
          <Text size="sm">{t('inviteLead')}</Text>
          <TextInput
            label={t('phone')}
            value={phone}
            onChange={(event) => setPhone(event.currentTarget.value)}
            type="tel"
            inputMode="tel"
            autoComplete="off"
            placeholder="0912 345 6789"
            classNames={{ input: 'phone-input' }}
            required
            withAsterisk={false}
            data-autofocus
          />
          <SegmentedControl
            aria-label={t('role')}
            value={role}
            onChange={setRole}
            data={[
              { value: 'member', label: home('member') },
              { value: 'owner', label: home('owner') },
            ]}
          />
          <Failed error={invite.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={invite.isPending}>
              {t('send')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}

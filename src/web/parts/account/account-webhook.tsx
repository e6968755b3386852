import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../../client'
import { readWaysAgain, setWays, type WaysRead } from '../../notice-ways'
import { CopyOnce } from '../copy-once'
import { Failed } from '../failed'
import { Panel } from '../panel'
import { Form } from '../form'

/** Form of the account's webhook; its secret is shown once. */
export function AccountWebhook({ webhook }: Pick<WaysRead, 'webhook'>) {
  const t = useTranslations('webhook')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [secret, setSecret] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: () => ask(api['notice-ways'].webhook.put({ url: url.trim() })),
    async onSuccess(saved) {
      setSecret(saved.secret)
      await readWaysAgain()
    },
  })
  const remove = useMutation({
    mutationFn: () => ask(api['notice-ways'].webhook.delete()),
    onSuccess(ways) {
      setUrl('')
      setSecret(null)
      setWays(ways)
    },
  })
  return (
    <Panel id="webhook" title={t('title')} lead={t('lead')}>
      <Form onSubmit={() => save.mutate()}>
        <Stack mt="sm">
          <TextInput
            label={t('url')}
            type="url"
            placeholder="https://"
            maxLength={500}
            classNames={{ input: 'id-input' }}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          {secret !== null && <Secret secret={secret} onSaved={() => setSecret(null)} />}
          <Failed error={save.error ?? remove.error} />
          <Group justify="flex-end">
            {webhook !== null && (
              <Button
                variant="light"
                color="red"
                loading={remove.isPending}
                onClick={() => remove.mutate()}
              >
                {t('remove')}
              </Button>
            )}
            <Button
              type="submit"
              variant="default"
              loading={save.isPending}
              disabled={url.trim() === ''}
            >
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Panel>
  )
}

interface SecretProps {
  readonly secret: string
  readonly onSaved: () => void
}

function Secret({ secret, onSaved }: SecretProps) {
  const t = useTranslations('webhook')
  return (
    <div>
      <Text size="sm" mb={4}>
        {t('secret')}
      </Text>
      <CopyOnce text={secret} label={t('secret')} />
      <Button variant="default" mt="xs" onClick={onSaved}>
        {t('saved')}
      </Button>
    </div>
  )
}

import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../client'
import { readMeAgain } from '../me'
import { useNumbers } from '../numbers'
import { Failed } from './failed'
import { PartTitle } from './panel'
import { Form } from './form'

/** Form of a redeem code. */
export function RedeemForm() {
  const t = useTranslations('credit')
  const { usd } = useNumbers()
  const [code, setCode] = useState('')
  const redeem = useMutation({
    mutationFn: () => ask(api.codes.post({ code })),
    async onSuccess() {
      setCode('')
      await readMeAgain()
    },
  })
  return (
    <section className="card panel" aria-labelledby="redeem">
      <Form
        onSubmit={() => {
          if (code.trim() !== '' && !redeem.isPending) redeem.mutate()
        }}
      >
        <Stack gap="sm">
          <div>
            <PartTitle id="redeem">{t('redeem')}</PartTitle>
            <Text size="sm" className="soft" mt={4}>
              {t('redeemLead')}
            </Text>
          </div>
          <Group align="end" gap="sm">
            <TextInput
              className="code-input"
              label={t('code')}
              value={code}
              onChange={({ currentTarget }) => {
                setCode(currentTarget.value)
                if (!redeem.isIdle) redeem.reset()
              }}
              inputMode="numeric"
              autoComplete="off"
              maxLength={60}
              classNames={{ input: 'phone-input' }}
            />
            <Button type="submit" variant="default" loading={redeem.isPending}>
              {t('redeemNow')}
            </Button>
          </Group>
          <Failed error={redeem.error} />
          {redeem.data !== undefined && (
            <Alert role="status">{t('redeemed', { usd: usd(redeem.data.usd, 4) })}</Alert>
          )}
        </Stack>
      </Form>
    </section>
  )
}

import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { api, ask } from '../../client'
import { useCountdown } from '../../countdown'
import { forgetMe, type Me } from '../../me'
import { useNumbers } from '../../numbers'
import { Dialog } from '../dialog'
import { Failed } from '../failed'
import { PartTitle, Soft } from '../panel'
import { Form } from '../form'

type Sent = NonNullable<Awaited<ReturnType<typeof api.phone.post>>['data']>

/** Section of the person's phone number, and its change. */
export function PhoneSection({ me }: { readonly me: Me }) {
  const t = useTranslations('phone')
  const { digits } = useNumbers()
  const [isChanging, setChanging] = useState(false)
  return (
    <section className="card panel" aria-labelledby="phone">
      <Group justify="space-between" align="start">
        <div>
          <PartTitle id="phone">{t('title')}</PartTitle>
          <Soft>{t('lead')}</Soft>
          <Text fw={600} mt="xs">
            <bdi dir="ltr" className="number">
              {digits(me.person.phone ?? '–')}
            </bdi>
          </Text>
        </div>
        <Button variant="default" onClick={() => setChanging(true)}>
          {t('change')}
        </Button>
      </Group>
      {isChanging && <ChangeDialog onClose={() => setChanging(false)} />}
    </section>
  )
}

function ChangeDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('phone')
  const [phone, setPhone] = useState('')
  const send = useMutation({ mutationFn: () => ask(api.phone.post({ phone })) })
  return (
    <Dialog opened onClose={onClose} title={t('change')}>
      {send.data === undefined ? (
        <Form onSubmit={() => send.mutate()}>
          <Stack>
            <Text size="sm">{t('changeLead')}</Text>
            <TextInput
              label={t('fresh')}
              value={phone}
              onChange={(event) => setPhone(event.currentTarget.value)}
              type="tel"
              inputMode="tel"
              autoComplete="tel-national"
              placeholder="0912 345 6789"
              classNames={{ input: 'phone-input' }}
              required
              withAsterisk={false}
              data-autofocus
            />
            <Failed error={send.error} />
            <Button type="submit" loading={send.isPending}>
              {t('send')}
            </Button>
            <Text size="xs" className="soft">
              {t('lost')}
            </Text>
          </Stack>
        </Form>
      ) : (
        <Codes phone={phone} sent={send.data} />
      )}
    </Dialog>
  )
}

function Codes({ phone, sent: first }: { readonly phone: string; readonly sent: Sent }) {
  const t = useTranslations('phone')
  const { count, digits } = useNumbers()
  const [sent, setSent] = useState(first)
  const [oldCode, setOldCode] = useState('')
  const [code, setCode] = useState('')
  const [left, countDown] = useCountdown(first.resend_seconds)
  const check = useMutation({
    mutationFn: () => ask(api.phone.check.post({ phone, old_code: oldCode, code })),
    onSuccess: forgetMe,
  })
  const again = useMutation({
    mutationFn: () => ask(api.phone.post({ phone })),
    onSuccess(fresh) {
      check.reset()
      setSent(fresh)
      countDown(fresh.resend_seconds)
    },
  })
  return (
    <Form onSubmit={() => check.mutate()}>
      <Stack>
        <Text size="sm">{t('codesLead')}</Text>
        <CodeInput
          label={t('oldCode', { number: isolated(digits(sent.old.phone)) })}
          value={oldCode}
          onChange={setOldCode}
          isFirst
        />
        <CodeInput
          label={t('newCode', { number: isolated(digits(sent.new.phone)) })}
          value={code}
          onChange={setCode}
          {...(sent.new.sent_before_seconds === null
            ? {}
            : {
                description: t('newSentBefore', {
                  count: sent.new.digits,
                  minutes: Math.ceil(sent.new.sent_before_seconds / 60),
                }),
              })}
        />
        {sent.in_terminal && <p className="in-terminal">{t('inTerminal')}</p>}
        <Failed error={check.error ?? again.error} />
        <Button
          type="submit"
          disabled={oldCode.trim() === '' || code.trim() === ''}
          loading={check.isPending}
        >
          {t('confirm')}
        </Button>
        {left > 0 ? (
          <Text size="sm" className="soft number">
            {t('againIn', { seconds: count(left) })}
          </Text>
        ) : (
          <Anchor component="button" type="button" size="sm" onClick={() => again.mutate()}>
            {t('again')}
          </Anchor>
        )}
      </Stack>
    </Form>
  )
}

/** A number inside of a sentence, from left to right (Unicode Bidirectional Algorithm, 2.4). */
const isolated = (text: string): string => `\u2066${text}\u2069`

interface CodeInputProps {
  readonly label: string
  readonly description?: string
  readonly value: string
  readonly onChange: (code: string) => void
  readonly isFirst?: boolean
}

const CodeInput = ({ label, description, value, onChange, isFirst = false }: CodeInputProps) => (
  <TextInput
    label={label}
    {...(description === undefined ? {} : { description })}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    inputMode="numeric"
    autoComplete={isFirst ? 'off' : 'one-time-code'}
    maxLength={40}
    classNames={{ input: 'phone-input' }}
    {...(isFirst ? { 'data-autofocus': true } : {})}
  />
)

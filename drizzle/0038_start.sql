-- All that the steps up to commit f6524a40 came to.
CREATE TABLE `accounts` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`verified` integer NOT NULL,
	`daily_cap` integer,
	`concurrency` integer NOT NULL,
	`requests_per_minute` integer NOT NULL,
	`max_request_kb` integer NOT NULL,
	`balance` integer NOT NULL,
	`created` integer NOT NULL, `notice_floor` integer, `closed` integer, `account_group` integer, `unverified_ceiling` integer, `own_limits` text,
	CONSTRAINT "accounts_status" CHECK("accounts"."status" in ('active', 'suspended'))
);--> statement-breakpoint
CREATE TABLE `keys` (
	`id` integer PRIMARY KEY NOT NULL,
	`project` integer NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`state` text NOT NULL,
	`requests_per_minute` integer,
	`spend_limit` integer,
	`allowed_models` text,
	`allowed_addresses` text,
	`expires_at` integer,
	`created` integer NOT NULL, `made_by` integer,
	FOREIGN KEY (`project`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `projects` (
	`id` integer PRIMARY KEY NOT NULL,
	`account` integer NOT NULL,
	`name` text NOT NULL,
	`active` integer NOT NULL,
	`allowed_models` text,
	`monthly_budget` integer,
	`created` integer NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `calibrations` (
	`model` text PRIMARY KEY NOT NULL,
	`factor` real NOT NULL,
	`updated` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `models` (
	`id` text PRIMARY KEY NOT NULL,
	`entry` text NOT NULL,
	`created` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);--> statement-breakpoint
CREATE TABLE `vendors` (
	`name` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`dialect` text NOT NULL,
	`base_url` text NOT NULL,
	`credential` text,
	`timeout_ms` integer NOT NULL,
	`active` integer NOT NULL
, `transport` text DEFAULT 'own' NOT NULL, `credential_active` integer DEFAULT true NOT NULL);--> statement-breakpoint
CREATE TABLE `spent` (
	`kind` text NOT NULL,
	`id` integer NOT NULL,
	`period` text NOT NULL,
	`amount` integer NOT NULL,
	PRIMARY KEY(`id`, `kind`, `period`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `transfers` (
	`id` integer PRIMARY KEY NOT NULL,
	`debit` integer NOT NULL,
	`credit` integer NOT NULL,
	`amount` integer NOT NULL,
	`kind` text NOT NULL,
	`reference` text NOT NULL,
	`created` integer NOT NULL, `note` text, `by` text, `told` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`debit`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "transfers_amount" CHECK("transfers"."amount" > 0),
	CONSTRAINT "transfers_sides" CHECK("transfers"."debit" <> "transfers"."credit")
);--> statement-breakpoint
CREATE TABLE `notice_deliveries` (
	`notice` text NOT NULL,
	`channel` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`due` integer NOT NULL,
	`error` text,
	PRIMARY KEY(`notice`, `channel`),
	FOREIGN KEY (`notice`) REFERENCES `notices`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "notice_deliveries_state" CHECK("notice_deliveries"."state" in ('pending', 'delivered', 'failed'))
);--> statement-breakpoint
CREATE TABLE `notices` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` integer NOT NULL,
	`period` text NOT NULL,
	`threshold` integer NOT NULL,
	`limit` integer NOT NULL,
	`amount` integer NOT NULL,
	`about` text NOT NULL,
	`created` integer NOT NULL,
	`recovered` integer
);--> statement-breakpoint
CREATE TABLE `coin_rates` (
	`id` integer PRIMARY KEY NOT NULL,
	`rate` text NOT NULL,
	`valid_from` integer NOT NULL,
	`by` text NOT NULL
);--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`account` integer NOT NULL,
	`coins` integer NOT NULL,
	`rate` text NOT NULL,
	`amount` integer NOT NULL,
	`reference` text NOT NULL,
	`transfer` integer NOT NULL,
	`created` integer NOT NULL,
	`by` text NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`transfer`) REFERENCES `transfers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payments_coins" CHECK("payments"."coins" > 0),
	CONSTRAINT "payments_amount" CHECK("payments"."amount" > 0)
);--> statement-breakpoint
CREATE TABLE `usage_days` (
	`project` integer NOT NULL,
	`day` integer NOT NULL,
	`key` integer NOT NULL,
	`model` text NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`project`, `day`, `key`, `model`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `summed` (
	`shard` integer PRIMARY KEY NOT NULL,
	`transfer` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `video_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`request` text NOT NULL,
	`account` integer NOT NULL,
	`project` integer NOT NULL,
	`key` integer NOT NULL,
	`model` text NOT NULL,
	`seconds` text NOT NULL,
	`size` text NOT NULL,
	`cost` integer NOT NULL,
	`created` integer NOT NULL,
	`status` text NOT NULL,
	`progress` integer NOT NULL,
	`vendor` text,
	`vendor_model` text,
	`vendor_job` text,
	`error` text,
	`ended` integer,
	`expires` integer,
	`deleted` integer, `vendor_credential` text, `due` integer, `claim` integer DEFAULT 0 NOT NULL, `failures` integer DEFAULT 0 NOT NULL, `missing` integer DEFAULT 0 NOT NULL,
	CONSTRAINT "video_jobs_status" CHECK("video_jobs"."status" in ('creating', 'queued', 'in_progress', 'completed', 'failed', 'cancelled'))
);--> statement-breakpoint
CREATE TABLE "requests" (
	`id` text PRIMARY KEY NOT NULL,
	`account` integer NOT NULL,
	`project` integer NOT NULL,
	`key` integer NOT NULL,
	`endpoint` text NOT NULL,
	`model` text NOT NULL,
	`vendor` text,
	`vendor_model` text,
	`vendor_answer` text,
	`streamed` integer NOT NULL,
	`status` text NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`reasoning_tokens` integer NOT NULL,
	`units` text,
	`estimated` integer NOT NULL,
	`cost` integer NOT NULL,
	`held` integer NOT NULL,
	`owed` integer,
	`card_version` text NOT NULL,
	`error` text,
	`address` text NOT NULL,
	`created` integer NOT NULL,
	`latency_ms` integer,
	`first_byte_ms` integer, `unpaid` text, `vendor_cost` integer, `cost_card` integer, `vendor_cost_estimated` integer DEFAULT false NOT NULL, `zone_day` integer,
	CONSTRAINT "requests_status" CHECK("requests"."status" = 'pending' or "requests"."status" = 'success' or "requests"."status" = 'error' or "requests"."status" = 'cancelled')
);--> statement-breakpoint
CREATE TABLE `model_aliases` (
	`id` text PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`listed` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `refused_calls` (
	`id` integer PRIMARY KEY NOT NULL,
	`minute` integer NOT NULL,
	`key` integer NOT NULL,
	`source` text NOT NULL,
	`code` text NOT NULL,
	`account` integer,
	`project` integer,
	`count` integer NOT NULL,
	`endpoint` text,
	`address` text NOT NULL,
	`request` text NOT NULL,
	`time` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `memberships` (
	`person` integer NOT NULL,
	`account` integer NOT NULL,
	`role` text NOT NULL,
	`created` integer NOT NULL,
	PRIMARY KEY(`person`, `account`),
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "memberships_role" CHECK("memberships"."role" in ('owner', 'member'))
);--> statement-breakpoint
CREATE TABLE `people` (
	`id` integer PRIMARY KEY NOT NULL,
	`phone` text,
	`created` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `phone_moves` (
	`person` integer PRIMARY KEY NOT NULL,
	`phone` text,
	`by` text NOT NULL,
	`due` integer NOT NULL,
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`person` integer NOT NULL,
	`account` integer NOT NULL,
	`created` integer NOT NULL,
	`seen` integer NOT NULL,
	`expires` integer NOT NULL,
	`address` text NOT NULL,
	`agent` text NOT NULL, `way` text DEFAULT 'code' NOT NULL, `passkey` text,
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `sign_in_asks` (
	`id` integer PRIMARY KEY NOT NULL,
	`who` text NOT NULL,
	`at` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `sign_in_codes` (
	`phone` text PRIMARY KEY NOT NULL,
	`hash` text,
	`sent` integer NOT NULL,
	`expires` integer NOT NULL,
	`wrong` integer NOT NULL,
	`wrong_since` integer NOT NULL,
	`locked_until` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `sign_in_hours` (
	`hour` text PRIMARY KEY NOT NULL,
	`sent` integer NOT NULL,
	`wrong` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `sms_providers` (
	`name` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`position` integer NOT NULL,
	`options` text NOT NULL,
	`secret` text
);--> statement-breakpoint
CREATE TABLE `trail` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`who` text NOT NULL,
	`what` text NOT NULL,
	`subject` text NOT NULL,
	`before` text,
	`after` text
);--> statement-breakpoint
CREATE TABLE `cost_cards` (
	`id` integer PRIMARY KEY NOT NULL,
	`vendor` text NOT NULL,
	`vendor_model` text NOT NULL,
	`version` integer NOT NULL,
	`valid_from` integer NOT NULL,
	`source` text NOT NULL,
	`lines` text NOT NULL
);--> statement-breakpoint
CREATE TABLE `pricing_rules` (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`markup_percent` text NOT NULL,
	`fee_per_call` text,
	`digits` integer,
	`basis` text NOT NULL
, `account_group` integer DEFAULT 0 NOT NULL, `marked_up` text DEFAULT 'cost' NOT NULL);--> statement-breakpoint
CREATE TABLE `sale_cards` (
	`id` integer PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`version` text NOT NULL,
	`valid_from` integer,
	`origin` text NOT NULL,
	`rule` integer,
	`by` text,
	`decided` integer NOT NULL,
	`lines` text NOT NULL, `account_group` integer, `base` text, `terms` text,
	CONSTRAINT "sale_cards_origin" CHECK("sale_cards"."origin" in ('typed', 'rule'))
);--> statement-breakpoint
CREATE TABLE `profit_accounts` (
	`day` integer NOT NULL,
	`account` integer NOT NULL,
	`calls` integer NOT NULL,
	`charged` integer NOT NULL,
	`refunded` integer NOT NULL,
	`vendor_cost` integer NOT NULL,
	`uncosted` integer NOT NULL,
	PRIMARY KEY(`day`, `account`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `profit_days` (
	`day` integer NOT NULL,
	`model` text NOT NULL,
	`vendor` text NOT NULL,
	`calls` integer NOT NULL,
	`charged` integer NOT NULL,
	`refunded` integer NOT NULL,
	`vendor_cost` integer NOT NULL,
	`uncosted` integer NOT NULL,
	PRIMARY KEY(`day`, `model`, `vendor`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE "price_proposals" (
	`id` integer PRIMARY KEY NOT NULL,
	`kind` text DEFAULT 'sale' NOT NULL,
	`model` text NOT NULL,
	`vendor` text DEFAULT '' NOT NULL,
	`vendor_model` text DEFAULT '' NOT NULL,
	`lines` text NOT NULL,
	`rule` integer,
	`moved` text,
	`cause` text NOT NULL,
	`created` integer NOT NULL,
	`status` text NOT NULL,
	`by` text,
	`decided` integer,
	CONSTRAINT "price_proposals_status" CHECK("price_proposals"."status" in ('pending', 'approved', 'rejected', 'withdrawn')),
	CONSTRAINT "price_proposals_kind" CHECK("price_proposals"."kind" in ('sale', 'cost', 'discontinued'))
);--> statement-breakpoint
CREATE TABLE `vendor_credentials` (
	`vendor` text NOT NULL,
	`name` text NOT NULL,
	`secret` text NOT NULL,
	`active` integer NOT NULL,
	PRIMARY KEY(`vendor`, `name`)
);--> statement-breakpoint
CREATE TABLE `vendor_states` (
	`vendor` text NOT NULL,
	`credential` text NOT NULL,
	`trouble` text,
	`since` integer,
	`cooling_until` integer,
	`balance` text,
	`currency` text,
	`checked` integer,
	`failure_code` text,
	`failed_at` integer, `recent` text,
	PRIMARY KEY(`vendor`, `credential`)
);--> statement-breakpoint
CREATE TABLE `account_calls` (
	`account` integer NOT NULL,
	`request` text NOT NULL,
	PRIMARY KEY(`account`, `request`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `account_calls_fill` (
	`id` integer PRIMARY KEY NOT NULL,
	`before` text NOT NULL
);--> statement-breakpoint
CREATE TABLE `usage_zone_days` (
	`project` integer NOT NULL,
	`day` integer NOT NULL,
	`key` integer NOT NULL,
	`model` text NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`project`, `day`, `key`, `model`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `passkey_challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`person` integer,
	`user_handle` text,
	`expires` integer NOT NULL,
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`person` integer NOT NULL,
	`user_handle` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`backed_up` integer NOT NULL,
	`created` integer NOT NULL,
	`last_used` integer,
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` integer NOT NULL,
	`phone` text NOT NULL,
	`role` text NOT NULL,
	`by` integer NOT NULL,
	`created` integer NOT NULL,
	`expires` integer NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`by`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invitations_role" CHECK("invitations"."role" in ('owner', 'member'))
);--> statement-breakpoint
CREATE TABLE `sister_service` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`sign_in_url` text NOT NULL,
	`secret` text
);--> statement-breakpoint
CREATE TABLE `used_tickets` (
	`hash` text PRIMARY KEY NOT NULL,
	`expires` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `connections` (
	`name` text PRIMARY KEY NOT NULL,
	`fields` text NOT NULL,
	`secret` text
);--> statement-breakpoint
CREATE TABLE `account_webhooks` (
	`account` integer PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`secret` text,
	`choices` text NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `bell_notices` (
	`person` integer NOT NULL,
	`account` integer NOT NULL,
	`notice` text NOT NULL,
	`seen` integer,
	PRIMARY KEY(`person`, `account`, `notice`),
	FOREIGN KEY (`notice`) REFERENCES `notices`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `contacts` (
	`person` integer PRIMARY KEY NOT NULL,
	`language` text,
	`email` text,
	`email_pending` text,
	`code_hash` text,
	`code_sent` integer,
	`code_expires` integer,
	`code_wrong` integer DEFAULT 0 NOT NULL,
	`code_count` integer DEFAULT 0 NOT NULL,
	`code_since` integer,
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `holder_deliveries` (
	`notice` text NOT NULL,
	`way` text NOT NULL,
	`person` integer NOT NULL,
	`account` integer NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`due` integer NOT NULL,
	`created` integer NOT NULL,
	`error` text,
	PRIMARY KEY(`notice`, `way`, `person`),
	FOREIGN KEY (`notice`) REFERENCES `notices`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "holder_deliveries_state" CHECK("holder_deliveries"."state" in ('pending', 'delivered', 'failed'))
);--> statement-breakpoint
CREATE TABLE `known_places` (
	`person` integer NOT NULL,
	`place` text NOT NULL,
	`seen` integer NOT NULL,
	PRIMARY KEY(`person`, `place`),
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `notice_choices` (
	`person` integer NOT NULL,
	`way` text NOT NULL,
	`topic` text NOT NULL,
	`on` integer NOT NULL,
	PRIMARY KEY(`person`, `way`, `topic`),
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `verification_tries` (
	`id` integer PRIMARY KEY NOT NULL,
	`account` integer NOT NULL,
	`at` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `verifications` (
	`account` integer PRIMARY KEY NOT NULL,
	`person` integer NOT NULL,
	`state` text NOT NULL,
	`first_name` text,
	`last_name` text,
	`national_code` text,
	`national_hash` text,
	`birth_date` text,
	`provider` text NOT NULL,
	`reason` text,
	`by` text,
	`submitted` integer NOT NULL,
	`decided` integer,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "verifications_state_known" CHECK("verifications"."state" in ('submitted', 'approved', 'rejected'))
);--> statement-breakpoint
CREATE TABLE `card_gateways` (
	`name` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`position` integer NOT NULL,
	`options` text NOT NULL,
	`secret` text
);--> statement-breakpoint
CREATE TABLE `card_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`account` integer NOT NULL,
	`person` integer,
	`gateway` text NOT NULL,
	`kind` text NOT NULL,
	`coins` integer,
	`rate` text,
	`rate_until` integer,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`charged` integer NOT NULL,
	`reference` text,
	`state` text NOT NULL,
	`code` text,
	`due` integer,
	`created` integer NOT NULL,
	`credited` integer,
	`credited_amount` integer,
	`credited_rate` text,
	`receipt` text,
	`card` text,
	`transfer` integer,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`person`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`transfer`) REFERENCES `transfers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "card_payments_state" CHECK("card_payments"."state" in ('started', 'credited', 'refused', 'expired')),
	CONSTRAINT "card_payments_amount" CHECK("card_payments"."amount" > 0 and "card_payments"."charged" > 0),
	CONSTRAINT "card_payments_credit" CHECK(("card_payments"."state" = 'credited') = ("card_payments"."transfer" is not null))
);--> statement-breakpoint
CREATE TABLE `redeem_codes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`hash` text NOT NULL,
	`batch` text NOT NULL,
	`amount` integer NOT NULL,
	`ending` text NOT NULL,
	`created` integer NOT NULL,
	`by` text NOT NULL,
	`expires` integer,
	`revoked` integer,
	`redeemed` integer,
	`account` integer,
	`transfer` integer,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`transfer`) REFERENCES `transfers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "redeem_codes_amount" CHECK("redeem_codes"."amount" > 0),
	CONSTRAINT "redeem_codes_redeemed" CHECK(("redeem_codes"."redeemed" is null) = ("redeem_codes"."transfer" is null))
);--> statement-breakpoint
CREATE TABLE `redeem_tries` (
	`id` integer PRIMARY KEY NOT NULL,
	`person` integer NOT NULL,
	`address` text NOT NULL,
	`at` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `trial_slips` (
	`reference` text PRIMARY KEY NOT NULL,
	`payment` text NOT NULL,
	`rials` integer NOT NULL,
	`state` text NOT NULL
);--> statement-breakpoint
CREATE TABLE `operator_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`by` text NOT NULL,
	`created` integer NOT NULL,
	`expires` integer,
	`revoked` integer,
	CONSTRAINT "operator_keys_role" CHECK("operator_keys"."role" in ('viewer', 'staff', 'owner'))
);--> statement-breakpoint
CREATE TABLE `operator_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`operator` integer,
	`totp` text NOT NULL,
	`expires` integer NOT NULL,
	FOREIGN KEY (`operator`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `operator_recovery_codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`operator` integer NOT NULL,
	FOREIGN KEY (`operator`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `operator_sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`operator` integer NOT NULL,
	`created` integer NOT NULL,
	`expires` integer NOT NULL,
	`address` text NOT NULL,
	`agent` text NOT NULL,
	`way` text NOT NULL, `passkey` text,
	FOREIGN KEY (`operator`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `operator_tries` (
	`who` text PRIMARY KEY NOT NULL,
	`wrong` integer NOT NULL,
	`locked_until` integer NOT NULL,
	`last` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `operators` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`password` text,
	`totp` text,
	`totp_step` integer DEFAULT 0 NOT NULL,
	`created` integer NOT NULL,
	`removed` integer,
	CONSTRAINT "operators_role" CHECK("operators"."role" in ('viewer', 'staff', 'owner'))
);--> statement-breakpoint
CREATE TABLE `account_notes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` integer NOT NULL,
	`text` text NOT NULL,
	`by` text NOT NULL,
	`created` integer NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `profit_account_months` (
	`month` integer NOT NULL,
	`account` integer NOT NULL,
	`calls` integer NOT NULL,
	`charged` integer NOT NULL,
	`refunded` integer NOT NULL,
	`vendor_cost` integer NOT NULL,
	`uncosted` integer NOT NULL,
	PRIMARY KEY(`month`, `account`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `profit_months` (
	`month` integer NOT NULL,
	`model` text NOT NULL,
	`vendor` text NOT NULL,
	`calls` integer NOT NULL,
	`charged` integer NOT NULL,
	`refunded` integer NOT NULL,
	`vendor_cost` integer NOT NULL,
	`uncosted` integer NOT NULL,
	PRIMARY KEY(`month`, `model`, `vendor`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `usage_months` (
	`project` integer NOT NULL,
	`month` integer NOT NULL,
	`key` integer NOT NULL,
	`model` text NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`project`, `month`, `key`, `model`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `usage_key_months` (
	`month` integer NOT NULL,
	`project` integer NOT NULL,
	`key` integer NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`month`, `project`, `key`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `usage_model_days` (
	`project` integer NOT NULL,
	`day` integer NOT NULL,
	`model` text NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`project`, `day`, `model`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `usage_rollup_fill` (
	`id` integer PRIMARY KEY NOT NULL,
	`project` integer NOT NULL,
	`day` integer NOT NULL
);--> statement-breakpoint
CREATE TABLE `usage_service_days` (
	`day` integer NOT NULL,
	`model` text NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`day`, `model`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `operator_passkey_challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_handle` text,
	`expires` integer NOT NULL,
	`operator` integer,
	FOREIGN KEY (`operator`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `operator_passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_handle` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`backed_up` integer NOT NULL,
	`created` integer NOT NULL,
	`last_used` integer,
	`operator` integer NOT NULL,
	FOREIGN KEY (`operator`) REFERENCES `operators`(`id`) ON UPDATE no action ON DELETE no action
);--> statement-breakpoint
CREATE TABLE `account_looks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account` integer NOT NULL,
	`person` integer NOT NULL,
	`who` text NOT NULL,
	`hash` text NOT NULL,
	`begun` integer NOT NULL,
	`opened` integer,
	`expires` integer NOT NULL,
	`ended` integer
);--> statement-breakpoint
CREATE TABLE `account_groups` (
	`id` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`daily_cap` integer,
	`concurrency` integer,
	`requests_per_minute` integer,
	`max_request_kb` integer,
	`unverified_ceiling` integer,
	`created` integer NOT NULL,
	`removed` integer
);--> statement-breakpoint
CREATE TABLE `active_days` (
	`day` integer PRIMARY KEY NOT NULL,
	`calls` integer NOT NULL,
	`accounts` text NOT NULL
);--> statement-breakpoint
CREATE TABLE `usage_zone_key_days` (
	`project` integer NOT NULL,
	`key` integer NOT NULL,
	`day` integer NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`project`, `key`, `day`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `usage_zone_model_days` (
	`project` integer NOT NULL,
	`day` integer NOT NULL,
	`model` text NOT NULL,
	`requests` integer NOT NULL,
	`errors` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`project`, `day`, `model`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE UNIQUE INDEX `keys_hash` ON `keys` (`hash`);--> statement-breakpoint
CREATE INDEX `keys_project` ON `keys` (`project`);--> statement-breakpoint
CREATE INDEX `projects_account` ON `projects` (`account`);--> statement-breakpoint
CREATE UNIQUE INDEX `transfers_reference` ON `transfers` (`kind`,`reference`);--> statement-breakpoint
CREATE INDEX `notice_deliveries_pending` ON `notice_deliveries` (`channel`,`due`) WHERE "notice_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX `notices_told` ON `notices` (`subject`,`kind`,`period`,`threshold`,`limit`) WHERE "notices"."recovered" is null;--> statement-breakpoint
CREATE INDEX `coin_rates_valid_from` ON `coin_rates` (`valid_from`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_reference` ON `payments` (`reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_transfer` ON `payments` (`transfer`);--> statement-breakpoint
CREATE INDEX `video_jobs_shown` ON `video_jobs` (`project`,`id`) WHERE "video_jobs"."deleted" is null and "video_jobs"."status" <> 'creating';--> statement-breakpoint
CREATE INDEX `requests_pending` ON `requests` (`id`) WHERE "requests"."status" = 'pending';--> statement-breakpoint
CREATE UNIQUE INDEX `refused_calls_line` ON `refused_calls` (`minute`,`key`,`source`,`code`);--> statement-breakpoint
CREATE INDEX `memberships_account` ON `memberships` (`account`);--> statement-breakpoint
CREATE UNIQUE INDEX `people_phone` ON `people` (`phone`);--> statement-breakpoint
CREATE INDEX `phone_moves_due` ON `phone_moves` (`due`);--> statement-breakpoint
CREATE INDEX `sessions_person` ON `sessions` (`person`);--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires`);--> statement-breakpoint
CREATE INDEX `sign_in_asks_who` ON `sign_in_asks` (`who`,`at`);--> statement-breakpoint
CREATE INDEX `sign_in_asks_at` ON `sign_in_asks` (`at`);--> statement-breakpoint
CREATE INDEX `trail_subject` ON `trail` (`subject`);--> statement-breakpoint
CREATE UNIQUE INDEX `cost_cards_version` ON `cost_cards` (`vendor`,`vendor_model`,`version`);--> statement-breakpoint
CREATE UNIQUE INDEX `sale_cards_version` ON `sale_cards` (`model`,`version`);--> statement-breakpoint
CREATE UNIQUE INDEX `price_proposals_pending` ON `price_proposals` (`kind`,`model`) WHERE "price_proposals"."status" = 'pending' and "price_proposals"."kind" <> 'cost';--> statement-breakpoint
CREATE UNIQUE INDEX `price_proposals_pending_cost` ON `price_proposals` (`vendor`,`vendor_model`) WHERE "price_proposals"."status" = 'pending' and "price_proposals"."kind" = 'cost';--> statement-breakpoint
CREATE INDEX `price_proposals_model` ON `price_proposals` (`model`);--> statement-breakpoint
CREATE INDEX `keys_kept` ON `keys` (`project`) WHERE "keys"."state" <> 'revoked';--> statement-breakpoint
CREATE INDEX `keys_revoked` ON `keys` (`project`) WHERE "keys"."state" = 'revoked';--> statement-breakpoint
CREATE INDEX `passkey_challenges_expires` ON `passkey_challenges` (`expires`);--> statement-breakpoint
CREATE INDEX `passkeys_person` ON `passkeys` (`person`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_account_phone` ON `invitations` (`account`,`phone`);--> statement-breakpoint
CREATE INDEX `invitations_phone` ON `invitations` (`phone`);--> statement-breakpoint
CREATE INDEX `used_tickets_expires` ON `used_tickets` (`expires`);--> statement-breakpoint
CREATE INDEX `transfers_moved_in` ON `transfers` (`credit`) WHERE "transfers"."kind" <> 'charge';--> statement-breakpoint
CREATE INDEX `transfers_moved_out` ON `transfers` (`debit`) WHERE "transfers"."kind" <> 'charge';--> statement-breakpoint
CREATE INDEX `bell_notices_notice` ON `bell_notices` (`notice`);--> statement-breakpoint
CREATE INDEX `bell_notices_unseen` ON `bell_notices` (`person`,`account`) WHERE "bell_notices"."seen" is null;--> statement-breakpoint
CREATE INDEX `holder_deliveries_pending` ON `holder_deliveries` (`way`,`due`) WHERE "holder_deliveries"."state" = 'pending';--> statement-breakpoint
CREATE INDEX `holder_deliveries_account` ON `holder_deliveries` (`account`,`way`,`created`);--> statement-breakpoint
CREATE INDEX `verification_tries_account` ON `verification_tries` (`account`,`at`);--> statement-breakpoint
CREATE INDEX `verifications_hash` ON `verifications` (`national_hash`);--> statement-breakpoint
CREATE INDEX `verifications_state` ON `verifications` (`state`,`submitted`);--> statement-breakpoint
CREATE INDEX `verifications_decided` ON `verifications` (`decided`);--> statement-breakpoint
CREATE INDEX `keys_created` ON `keys` (`created`);--> statement-breakpoint
CREATE INDEX `keys_expires` ON `keys` (`expires_at`) WHERE "keys"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `invitations_created` ON `invitations` (`created`);--> statement-breakpoint
CREATE UNIQUE INDEX `card_payments_reference` ON `card_payments` (`kind`,`reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `card_payments_transfer` ON `card_payments` (`transfer`);--> statement-breakpoint
CREATE INDEX `card_payments_account` ON `card_payments` (`account`,`id`);--> statement-breakpoint
CREATE INDEX `card_payments_due` ON `card_payments` (`due`) WHERE "card_payments"."due" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `redeem_codes_hash` ON `redeem_codes` (`hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `redeem_codes_transfer` ON `redeem_codes` (`transfer`);--> statement-breakpoint
CREATE INDEX `redeem_codes_batch` ON `redeem_codes` (`batch`);--> statement-breakpoint
CREATE INDEX `redeem_tries_person` ON `redeem_tries` (`person`,`at`);--> statement-breakpoint
CREATE INDEX `redeem_tries_address` ON `redeem_tries` (`address`,`at`);--> statement-breakpoint
CREATE INDEX `redeem_tries_at` ON `redeem_tries` (`at`);--> statement-breakpoint
CREATE UNIQUE INDEX `operator_keys_hash` ON `operator_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `operator_recovery_codes_operator` ON `operator_recovery_codes` (`operator`);--> statement-breakpoint
CREATE INDEX `operator_sessions_operator` ON `operator_sessions` (`operator`);--> statement-breakpoint
CREATE INDEX `operator_sessions_expires` ON `operator_sessions` (`expires`);--> statement-breakpoint
CREATE INDEX `operator_tries_last` ON `operator_tries` (`last`);--> statement-breakpoint
CREATE UNIQUE INDEX `operators_name` ON `operators` (`name`);--> statement-breakpoint
CREATE INDEX `keys_prefix` ON `keys` (`prefix`);--> statement-breakpoint
CREATE INDEX `trail_who` ON `trail` (`who`);--> statement-breakpoint
CREATE INDEX `requests_failed` ON `requests` (`id`) WHERE "requests"."status" = 'error';--> statement-breakpoint
CREATE INDEX `account_notes_account` ON `account_notes` (`account`);--> statement-breakpoint
CREATE INDEX `video_jobs_due` ON `video_jobs` (`vendor`,`due`) WHERE "video_jobs"."status" in ('queued', 'in_progress');--> statement-breakpoint
CREATE INDEX `video_jobs_open` ON `video_jobs` (`status`,`created`) WHERE "video_jobs"."status" in ('creating', 'queued', 'in_progress');--> statement-breakpoint
CREATE INDEX `operator_passkey_challenges_expires` ON `operator_passkey_challenges` (`expires`);--> statement-breakpoint
CREATE INDEX `operator_passkeys_operator` ON `operator_passkeys` (`operator`);--> statement-breakpoint
CREATE UNIQUE INDEX `account_looks_hash` ON `account_looks` (`hash`);--> statement-breakpoint
CREATE INDEX `account_looks_account` ON `account_looks` (`account`,`id`);--> statement-breakpoint
CREATE INDEX `account_looks_open` ON `account_looks` (`ended`,`expires`);--> statement-breakpoint
CREATE UNIQUE INDEX `account_groups_name` ON `account_groups` (`name`) WHERE "account_groups"."removed" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `pricing_rules_scope` ON `pricing_rules` (`account_group`,`kind`,`name`);--> statement-breakpoint
CREATE INDEX `accounts_group` ON `accounts` (`account_group`,`id`) WHERE "accounts"."account_group" is not null;--> statement-breakpoint
CREATE INDEX `notice_deliveries_failed` ON `notice_deliveries` (`notice`) WHERE "notice_deliveries"."state" = 'failed';--> statement-breakpoint
CREATE INDEX `transfers_topups` ON `transfers` (`created`,`amount`) WHERE "transfers"."kind" = 'topup';--> statement-breakpoint
CREATE INDEX `profit_account_months_charged` ON `profit_account_months` (`month`,`charged`);--> statement-breakpoint
CREATE INDEX `profit_account_months_margin` ON `profit_account_months` (`month`,("charged" - "refunded" - "vendor_cost"));--> statement-breakpoint
CREATE INDEX `card_payments_state` ON `card_payments` (`state`,`id`);--> statement-breakpoint
CREATE TRIGGER `transfers_no_update` BEFORE UPDATE ON `transfers` BEGIN SELECT RAISE(ABORT, 'transfers are append-only'); END;--> statement-breakpoint
CREATE TRIGGER `transfers_no_delete` BEFORE DELETE ON `transfers` BEGIN SELECT RAISE(ABORT, 'transfers are append-only'); END;--> statement-breakpoint
CREATE TRIGGER `coin_rates_no_update` BEFORE UPDATE ON `coin_rates` BEGIN SELECT RAISE(ABORT, 'coin_rates are append-only'); END;--> statement-breakpoint
CREATE TRIGGER `coin_rates_no_delete` BEFORE DELETE ON `coin_rates` BEGIN SELECT RAISE(ABORT, 'coin_rates are append-only'); END;--> statement-breakpoint
CREATE TRIGGER `payments_no_update` BEFORE UPDATE ON `payments` BEGIN SELECT RAISE(ABORT, 'payments are append-only'); END;--> statement-breakpoint
CREATE TRIGGER `payments_no_delete` BEFORE DELETE ON `payments` BEGIN SELECT RAISE(ABORT, 'payments are append-only'); END;--> statement-breakpoint
CREATE TRIGGER `trail_no_update` BEFORE UPDATE ON `trail` BEGIN SELECT RAISE(ABORT, 'the trail is append-only'); END;--> statement-breakpoint
CREATE TRIGGER `trail_no_delete` BEFORE DELETE ON `trail` BEGIN SELECT RAISE(ABORT, 'the trail is append-only'); END;--> statement-breakpoint
INSERT INTO `accounts` (`id`, `name`, `status`, `verified`, `daily_cap`, `concurrency`, `requests_per_minute`, `max_request_kb`, `balance`, `created`, `notice_floor`, `closed`, `account_group`, `unverified_ceiling`, `own_limits`) VALUES
  (-3, 'adjustments', 'active', 1, NULL, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL),
  (-2, 'payments', 'active', 1, NULL, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL),
  (-1, 'revenue', 'active', 1, NULL, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL);--> statement-breakpoint
INSERT INTO `settings` (`key`, `value`) VALUES
  ('catalogue_version', '0');--> statement-breakpoint
INSERT INTO `summed` (`shard`, `transfer`) VALUES
  (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 0),
  (12, 0), (13, 0), (14, 0), (15, 0), (16, 0), (17, 0), (18, 0), (19, 0), (20, 0), (21, 0), (22, 0), (23, 0),
  (24, 0), (25, 0), (26, 0), (27, 0), (28, 0), (29, 0), (30, 0), (31, 0), (32, 0), (33, 0), (34, 0), (35, 0),
  (36, 0), (37, 0), (38, 0), (39, 0), (40, 0), (41, 0), (42, 0), (43, 0), (44, 0), (45, 0), (46, 0), (47, 0),
  (48, 0), (49, 0), (50, 0), (51, 0), (52, 0), (53, 0), (54, 0), (55, 0), (56, 0), (57, 0), (58, 0), (59, 0),
  (60, 0), (61, 0), (62, 0), (63, 0), (64, 0), (66, 0), (67, 0), (68, 0), (69, 0), (70, 0), (71, 0), (72, 0),
  (73, 0), (74, 0), (75, 0), (76, 0), (77, 0), (78, 0), (79, 0), (80, 0), (81, 0), (82, 0), (83, 0), (84, 0),
  (85, 0), (86, 0), (87, 0), (88, 0), (89, 0), (90, 0), (91, 0), (92, 0), (93, 0), (94, 0), (95, 0), (96, 0),
  (97, 0), (98, 0), (99, 0), (100, 0), (101, 0), (102, 0), (103, 0), (104, 0), (105, 0), (106, 0), (107, 0), (108, 0),
  (109, 0), (110, 0), (111, 0), (112, 0), (113, 0), (114, 0), (115, 0), (116, 0), (117, 0), (118, 0), (119, 0), (120, 0),
  (121, 0), (122, 0), (123, 0), (124, 0), (125, 0), (126, 0), (127, 0), (128, 0), (129, 0);--> statement-breakpoint
INSERT INTO `pricing_rules` (`id`, `kind`, `name`, `markup_percent`, `fee_per_call`, `digits`, `basis`, `account_group`, `marked_up`) VALUES
  (1, 'everything', '', '0', NULL, NULL, 'highest', 0, 'cost');

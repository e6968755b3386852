ALTER TABLE "account_webhooks" ADD COLUMN "made_by" bigint
--> statement-breakpoint
ALTER TABLE "holder_deliveries" ADD COLUMN "target" text COLLATE "C"
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "proven" bigint

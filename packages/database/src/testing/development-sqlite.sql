CREATE TABLE "schema_migrations" ("number" integer not null, "name" text not null, "checksum" text not null, "started_at" integer not null, "finished_at" integer, constraint "schema_migrations_primary_key" primary key ("number")) strict;
CREATE TABLE "users" ("id" integer primary key autoincrement, "username" text not null unique, "password_hash" text not null, "password_is_default" integer default 0 not null check ("password_is_default" in (0, 1)), "display_name" text not null, "role" integer not null, "status" integer not null, "email" text not null, "github_id" text not null, "wechat_id" text not null, "lark_id" text not null, "access_token_hash" text unique, "group" text not null, "aff_code" text unique, "inviter_id" integer, "created_at" integer not null, "language" text default '' not null, "oidc_id" text default '' not null, "access_token_created_at" integer default 0 not null, "access_token_used_at" integer default 0 not null) strict;
CREATE TABLE "sessions" ("id_hash" text not null primary key, "user_id" integer not null references "users" ("id") on delete cascade, "created_at" integer not null, "last_seen_at" integer not null, "expires_at" integer not null, "address" text not null, "user_agent" text not null) strict;
CREATE TABLE "login_failures" ("subject" text not null primary key, "failures" integer not null check ("failures" between 0 and 9007199254740991), "last_failure_at" integer not null, "blocked_until" integer not null) strict;
CREATE TABLE "tokens" ("id" integer primary key autoincrement, "user_id" integer not null, "name" text not null, "key_hmac" text not null unique, "key_cipher" text not null, "status" integer not null, "created_time" integer not null, "expired_time" integer not null, "unlimited_quota" integer not null check ("unlimited_quota" in (0, 1)), "models" text not null, "subnet" text not null, "rpm_limit" integer not null check ("rpm_limit" between 0 and 9007199254740991), "dpm_limit" integer not null check ("dpm_limit" between 0 and 9007199254740991), "tpm_limit" integer not null check ("tpm_limit" between 0 and 9007199254740991), "email" text not null, "custom_contact" text not null, "moderations_enable" integer not null check ("moderations_enable" in (0, 1)), "flagged_count" integer default 0 not null check ("flagged_count" between 0 and 9007199254740991), "quota_ceiling" integer default 0 not null check ("quota_ceiling" between 0 and 9007199254740991), "keep_bodies" integer default 0 not null check ("keep_bodies" in (0, 1)), "old_key_hmac" text default '' not null, "old_key_ends_at" integer default 0 not null) strict;
CREATE TABLE "channels" ("id" integer primary key autoincrement, "type" integer not null, "name" text not null, "key_cipher" text not null, "status" integer not null, "status_reason" text default '' not null, "base_url" text not null, "other" text not null, "models" text not null, "group" text not null, "model_mapping" text not null, "system_prompt" text not null, "organization" text not null, "soft_limit_usd" real not null, "calc_prompt" integer not null check ("calc_prompt" in (0, 1)), "config" text not null, "config_cipher" text not null, "priority" integer not null, "weight" integer not null check ("weight" between 0 and 9007199254740991), "created_time" integer not null, "test_time" integer default 0 not null, "response_time" integer default 0 not null, "balance" real default 0 not null, "balance_updated_time" integer default 0 not null, "awake_time" integer default 0 not null, "used_quota" integer default 0 not null check ("used_quota" between 0 and 9007199254740991), "soft_limit_base_quota" integer default 0 not null check ("soft_limit_base_quota" between 0 and 9007199254740991), "last_test" text default '' not null, "status_hint" text default '' not null, "provider_models" text default '' not null, "tags" text default '' not null, "costs" text default '' not null) strict;
CREATE TABLE "channel_models" ("group" text not null, "model" text not null, "channel_id" integer not null references "channels" ("id") on delete cascade, constraint "channel_models_primary_key" primary key ("group", "model", "channel_id")) strict;
CREATE TABLE "redemptions" ("id" integer primary key autoincrement, "user_id" integer not null, "name" text not null, "key_hmac" text not null unique, "key_cipher" text not null, "status" integer not null, "quota" integer not null check ("quota" between 0 and 9007199254740991), "created_time" integer not null, "redeemed_time" integer default 0 not null, "redeemed_by" integer) strict;
CREATE TABLE "options" ("key" text not null primary key, "value" text not null) strict;
CREATE TABLE "ledger_entries" ("id" integer primary key autoincrement, "created_at" integer not null, "kind" text not null, "request_id" text not null, "user_id" integer not null, "token_id" integer not null, "user_amount" integer not null check ("user_amount" between -9007199254740991 and 9007199254740991), "token_amount" integer not null check ("token_amount" between -9007199254740991 and 9007199254740991), "note" text not null, constraint "ledger_entries_request_id_kind_unique" unique ("request_id", "kind")) strict;
CREATE TABLE "logs" ("id" integer primary key autoincrement, "user_id" integer not null, "created_at" integer not null, "type" integer not null, "content" text not null, "username" text not null, "token_name" text not null, "model_name" text not null, "quota" integer not null check ("quota" between -9007199254740991 and 9007199254740991), "prompt_tokens" integer not null, "completion_tokens" integer not null, "channel_id" integer not null, "request_id" text not null, "elapsed_time" integer not null, "is_stream" integer not null check ("is_stream" in (0, 1)), "detail" text not null, "result" text default '' not null, "status_code" integer default 0 not null, "token_id" integer default 0 not null, "token_amount" integer default 0 not null check ("token_amount" between 0 and 9007199254740991), "shortfall" integer default 0 not null check ("shortfall" between 0 and 9007199254740991), "hidden" integer default 0 not null check ("hidden" in (0, 1)), "cost" integer default -1 not null, "first_byte_ms" integer default 0 not null, "owner" integer default 0 not null, "user_budget" integer default 0 not null, "token_budget" integer default 0 not null, "cached_tokens" integer default 0 not null check ("cached_tokens" between 0 and 9007199254740991)) strict;
CREATE TABLE "audit" ("id" integer primary key autoincrement, "created_at" integer not null, "actor_id" integer not null, "actor_name" text not null, "actor_role" integer not null, "address" text not null, "action" text not null, "object" text not null, "detail" text not null, "kind" text default '' not null, "via" text default '' not null, "request_id" text default '' not null) strict;
CREATE TABLE "oauth_states" ("state_hash" text not null primary key, "browser_hash" text not null, "user_id" integer not null, "expires_at" integer not null, "provider" text default '' not null, "invitation_hmac" text default '' not null) strict;
CREATE TABLE "request_counts" ("subject" text not null primary key, "made" integer not null check ("made" between 0 and 9007199254740991), "ends_at" integer not null) strict;
CREATE TABLE "email_codes" ("purpose" text not null, "email" text not null, "requester" text not null, "code_hash" text not null, "tries_left" integer not null check ("tries_left" between 0 and 9007199254740991), "others_tries_left" integer not null check ("others_tries_left" between 0 and 9007199254740991), "expires_at" integer not null, constraint "email_codes_primary_key" primary key ("purpose", "email", "requester", "code_hash")) strict;
CREATE TABLE "outbox" ("id" integer primary key autoincrement, "created_at" integer not null, "recipient" text not null, "message" text not null, "attempts" integer default 0 not null check ("attempts" between 0 and 9007199254740991), "due_at" integer not null) strict;
CREATE TABLE "pending_alerts" ("id" integer primary key autoincrement, "created_at" integer not null, "kind" text not null, "facts" text not null) strict;
CREATE TABLE "alert_states" ("kind" text not null, "id" integer not null, "level" integer not null check ("level" between 0 and 9007199254740991), "at" integer not null, constraint "alert_states_primary_key" primary key ("kind", "id")) strict;
CREATE TABLE "invitations" ("id" integer primary key autoincrement, "name" text not null, "code_hmac" text not null unique, "code_cipher" text not null, "group" text not null, "quota" integer not null check ("quota" between 0 and 9007199254740991), "created_by" integer not null, "created_at" integer not null, "expires_at" integer not null, "used_at" integer default 0 not null, "used_by" integer) strict;
CREATE TABLE "totp_factors" ("user_id" integer not null primary key references "users" ("id") on delete cascade, "key_cipher" text not null, "confirmed_at" integer not null, "last_step" integer not null check ("last_step" between 0 and 9007199254740991)) strict;
CREATE TABLE "recovery_codes" ("user_id" integer not null references "users" ("id") on delete cascade, "code_hash" text not null, constraint "recovery_codes_primary_key" primary key ("user_id", "code_hash")) strict;
CREATE TABLE "passkeys" ("id" integer primary key autoincrement, "user_id" integer not null references "users" ("id") on delete cascade, "credential_id" text not null unique, "public_key" text not null, "counter" integer not null check ("counter" between 0 and 9007199254740991), "name" text not null, "created_at" integer not null, "last_used_at" integer default 0 not null) strict;
CREATE TABLE "entry_steps" ("id_hash" text not null primary key, "purpose" text not null, "user_id" integer not null, "challenge" text not null, "tries_left" integer not null check ("tries_left" between 0 and 9007199254740991), "expires_at" integer not null) strict;
CREATE TABLE "kept_bodies" ("request_id" text not null primary key, "token_id" integer not null references "tokens" ("id") on delete cascade, "user_id" integer not null, "created_at" integer not null, "size" integer not null check ("size" between 0 and 9007199254740991), "request_bytes" integer not null check ("request_bytes" between 0 and 9007199254740991), "answer_bytes" integer not null check ("answer_bytes" between 0 and 9007199254740991), "request_is_cut" integer not null check ("request_is_cut" in (0, 1)), "answer_is_cut" integer not null check ("answer_is_cut" in (0, 1)), "request" text not null, "answer" text not null) strict;
CREATE TABLE "saved_views" ("id" integer primary key autoincrement, "user_id" integer not null references "users" ("id") on delete cascade, "page" text not null, "name" text not null, "search" text not null, "created_at" integer not null, "is_shared" integer default 0 not null check ("is_shared" in (0, 1)), constraint "saved_views_name_unique" unique ("user_id", "page", "name")) strict;
CREATE TABLE "channel_decisions" ("id" integer primary key autoincrement, "channel_id" integer not null references "channels" ("id") on delete cascade, "kind" text not null, "model" text not null, "code" text not null, "message" text not null, "first_at" integer not null, "last_at" integer not null, "until" integer not null, "times" integer not null, "undone_at" integer default 0 not null, "parts" text default '' not null) strict;
CREATE TABLE "price_lists" ("version" text not null primary key, "in_use" integer not null check ("in_use" in (0, 1)), "fetched_at" integer not null, "program" text not null, "data" text not null) strict;
CREATE TABLE "kept_objects" ("id" integer primary key autoincrement, "object_id" text not null, "kind" text not null, "user_id" integer not null references "users" ("id") on delete cascade, "token_id" integer not null, "channel_id" integer not null references "channels" ("id") on delete cascade, "size" integer not null check ("size" between 0 and 9007199254740991), "created_at" integer not null, "expires_at" integer not null, "data" text not null, constraint "kept_objects_object_unique" unique ("object_id", "channel_id")) strict;
CREATE TABLE "audit_seals" ("number" integer not null primary key, "kind" text not null, "last_id" integer not null, "newest_at" integer not null, "sealed_at" integer not null, "entry_hashes" text not null, "hash" text not null) strict;
CREATE TABLE "audit_checks" ("id" integer not null primary key, "checked_at" integer not null, "problems" text not null) strict;
CREATE TABLE "batches" ("id" integer primary key autoincrement, "request_id" text not null unique, "batch_id" text not null, "state" text not null, "user_id" integer not null, "username" text not null, "token_id" integer not null, "token_name" text not null, "token_unlimited" integer not null check ("token_unlimited" in (0, 1)), "channel_id" integer not null, "model" text not null, "endpoint" text not null, "source_file_id" text not null, "input_file_id" text not null, "reserved" integer not null check ("reserved" between 0 and 9007199254740991), "terms" text not null, "line_bounds" text not null, "data" text not null, "created_at" integer not null, "checked_at" integer not null, "line_count" integer default 0 not null, "model_tokens" integer default 0 not null check ("model_tokens" between 0 and 9007199254740991)) strict;
CREATE TABLE "default_views" ("user_id" integer not null references "users" ("id") on delete cascade, "page" text not null, "view_id" integer not null references "saved_views" ("id") on delete cascade, constraint "default_views_primary_key" primary key ("user_id", "page")) strict;
CREATE TABLE "known_identities" ("identity_hmac" text not null primary key, "known_since" integer not null) strict;
CREATE TABLE "idempotent_answers" ("user_id" integer not null, "key_hash" text not null, "request_hmac" text not null, "answer_cipher" text not null, "expires_at" integer not null, constraint "idempotent_answers_primary_key" primary key ("user_id", "key_hash")) strict;
CREATE TABLE "owners" ("id" integer not null primary key, "epoch" integer default 1 not null, "state" text default 'live' not null, "beat" integer default 0 not null, "applied_id" integer default 0 not null, "request_id" text default '' not null, constraint "owners_id_epoch_unique" unique ("id", "epoch")) strict;
CREATE TABLE "shares" ("kind" integer not null, "account" integer not null, "owner" integer not null, "remaining" integer default 0 not null check ("remaining" between -9007199254740991 and 9007199254740991), "used" integer default 0 not null check ("used" between -9007199254740991 and 9007199254740991), "requests" integer default 0 not null check ("requests" between -9007199254740991 and 9007199254740991), "last_used_at" integer default 0 not null, "is_scarce" integer default 0 not null check ("is_scarce" in (0, 1)), constraint "shares_primary_key" primary key ("kind", "account", "owner"), constraint "shares_covered_check" check (kind = 3 or remaining >= 0)) strict;
CREATE TABLE "checkpoints" ("request_id" text not null primary key, "owner" integer not null, "user_id" integer not null, "token_id" integer not null, "token_limited" integer not null check ("token_limited" in (0, 1)), "user_budget" integer default 0 not null, "token_budget" integer default 0 not null, "channel_id" integer not null, "delivered" integer not null check ("delivered" between 0 and 9007199254740991), "created_at" integer not null, "model_name" text not null, "prompt_tokens" integer not null, "completion_tokens" integer not null) strict;
CREATE TABLE "budget_windows" ("id" integer primary key autoincrement, "budget_id" integer not null, "window_start" integer not null, "removed" integer default 0 not null check ("removed" between -9007199254740991 and 9007199254740991), constraint "budget_windows_unique" unique ("budget_id", "window_start")) strict;
CREATE TABLE "budgets" ("id" integer primary key autoincrement, "user_id" integer not null references "users" ("id") on delete cascade, "token_id" integer not null, "amount" integer not null check ("amount" between 0 and 9007199254740991), "period" text not null, "since" integer not null, constraint "budgets_of_unique" unique ("user_id", "token_id")) strict;
CREATE TABLE "log_changes" ("id" integer primary key autoincrement, "first_id" integer not null, "last_id" integer not null, "first_day" integer not null, "last_day" integer not null, "created_at" integer not null) strict;
CREATE TABLE "cleared_usage" ("kind" integer not null, "day" integer not null, "user_id" integer not null, "token_name" text not null, "model_name" text not null, "channel_id" integer not null, "requests" integer default 0 not null check ("requests" between -9007199254740991 and 9007199254740991), "refused" integer default 0 not null check ("refused" between -9007199254740991 and 9007199254740991), "errors" integer default 0 not null check ("errors" between -9007199254740991 and 9007199254740991), "quota" integer default 0 not null check ("quota" between -9007199254740991 and 9007199254740991), "cost" integer default 0 not null check ("cost" between -9007199254740991 and 9007199254740991), "unknown_requests" integer default 0 not null check ("unknown_requests" between -9007199254740991 and 9007199254740991), "unknown_quota" integer default 0 not null check ("unknown_quota" between -9007199254740991 and 9007199254740991), "prompt_tokens" integer default 0 not null check ("prompt_tokens" between -9007199254740991 and 9007199254740991), "completion_tokens" integer default 0 not null check ("completion_tokens" between -9007199254740991 and 9007199254740991), "cached_tokens" integer default 0 not null check ("cached_tokens" between -9007199254740991 and 9007199254740991), constraint "cleared_usage_primary_key" primary key ("kind", "day", "user_id", "token_name", "model_name", "channel_id")) strict;
insert into schema_migrations values (1, 'accounts', 'd035af9d62b1d4cdffd0921b7384b554924ac8f46a3bb7d59fc020b938f11131', 1795837470, 1795837470);
insert into schema_migrations values (2, 'gateway', '39cab653fbabecb046b3d275f76cfac688e1fac305e4fe31c2bd173a481a2379', 1795837470, 1795837470);
insert into schema_migrations values (3, 'ledger', '693830a7270c31f1a0ccf6fe4037326d63364d19cb2ebd5dffddcb2d343f9760', 1795837470, 1795837470);
insert into schema_migrations values (4, 'log-results', '37c5168c946608342f3609b589c58cdbadac20c8ab2dc5f8b2824b07249ebc34', 1795837470, 1795837470);
insert into schema_migrations values (5, 'token-flags', 'ab0063744fa546d531cddc3480c4c897d276e3b96b85bec353fd7ba5fe34d19f', 1795837470, 1795837470);
insert into schema_migrations values (6, 'balance-defaults', '519a5810f2bf234d5e49c8f80c39366e5a2ba55b5cf70b96cf8f49b75242b6e4', 1795837470, 1795837470);
insert into schema_migrations values (7, 'channel-tests', 'b28a5ffaad45ee400677b9dcbc50d1ef313602773981cd64708ad731c5b3e05d', 1795837470, 1795837470);
insert into schema_migrations values (8, 'balances', '4ccb9f9440bef0ab54c0eb01fe2fa9cb246625d74492511fc1f84c48ec5b5430', 1795837470, 1795837470);
insert into schema_migrations values (9, 'log-groups', '645136af3b5b222dcc6fcf031f35eb0b310f7b0b196ec0214d1af96ddaaed23e', 1795837470, 1795837470);
insert into schema_migrations values (10, 'log-removals', '0b4f626f6bc2f0735d4e27375150b631b1cbc9b4f2e732e49ed5d06d95311047', 1795837470, 1795837470);
insert into schema_migrations values (11, 'entry', '0de47069cdae5f143153df7c721971e4c5492c4887cd09e07d5f844686ae8420', 1795837470, 1795837470);
insert into schema_migrations values (12, 'alerts', 'cf1f55656b4d7156452fdcf0eb348fbf1c3dc266a675d16ec616253a6a58567d', 1795837470, 1795837470);
insert into schema_migrations values (13, 'sign-in', 'd88f23ecf0cd49d0fb3c0e09bfcafac4e232fda6fbefc1d1ddc7c481902fa8c9', 1795837470, 1795837470);
insert into schema_migrations values (14, 'second-factors', 'a5b5707f7cc84ebee8e8376ed9788c31c0b4ae9f86940de73f2285c1d4970036', 1795837470, 1795837470);
insert into schema_migrations values (15, 'audit-page', 'd5428da174216cc34ef42a2a03ad0061725e849067afc8a097b659c729a3dd02', 1795837470, 1795837470);
insert into schema_migrations values (16, 'budgets', '94906129af10d3028c79b319530465131ed45d3fd225b7bfa14b418e71d2c352', 1795837470, 1795837470);
insert into schema_migrations values (18, 'kept-bodies', 'ac87d2fd1d7f04a2b9002470eab29648b8afd5a4e68de949a634efc13021741f', 1795837470, 1795837470);
insert into schema_migrations values (19, 'channel-decisions', '971e64e26b2a1950568b86d8dcab4aacbe99a142d871ad92553fa6b2380e4923', 1795837470, 1795837470);
insert into schema_migrations values (20, 'costs', '0508e3526208aff79ad445c526076979b95b401bc3f676a6f03b09a87d04ad81', 1795837470, 1795837470);
insert into schema_migrations values (21, 'usage-sums', 'dc7f6cbe90c5e5ddcf6c60c3a1e95cc56ff04254cd413afc52c598f5596d566e', 1795837470, 1795837470);
insert into schema_migrations values (22, 'binding-addresses', 'd01c5b70ae84553299f7bb3adda02e1c6addfdc4eb467808313dd47dcdb9ec4c', 1795837470, 1795837470);
insert into schema_migrations values (23, 'price-lists', '510a7e7f551043403e05adc1effcedc7da01e92559075d217ee307806ee8f70b', 1795837470, 1795837470);
insert into schema_migrations values (24, 'usage-parts', 'a0cc27b5f346a03536dbde89418a02facffd2cbf31bd32241ceb4a603b948dad', 1795837470, 1795837470);
insert into schema_migrations values (30, 'kept-objects', '60623cdfb29bc095b7cfb155c489aa756ea81de3c67f18e2a1bacbf4ae47ccf6', 1795837470, 1795837470);
insert into schema_migrations values (31, 'audit-seals', 'a292a3c07471afa01d10ba3d75d828b222fe7151121da9fd1e58f0475e02e207', 1795837470, 1795837470);
insert into schema_migrations values (32, 'batches', '378486911acc4a0821f5d3ab96808d6431150712f8ef558db03de790e83f3c0a', 1795837470, 1795837470);
insert into schema_migrations values (33, 'usage-tokens', '0c5ef243bb8278d89fc1136c740c154b689ac34da851f2772f4c3dbc6ccb9924', 1795837470, 1795837470);
insert into schema_migrations values (34, 'usage-of-users', '237f305eaf7cf9df1d544c95fc0138c8e21bd6c8101e48a15d0e455febd01dac', 1795837470, 1795837470);
insert into schema_migrations values (35, 'batch-sizes', '7a52ab63b6ce19841223790eca4f45c4bed8831ada930994acbc502a45b7c178', 1795837470, 1795837470);
insert into schema_migrations values (36, 'shared-views', '5672cf21b53fcf60a7b307cf3b3118e9979b38eaf5599116876c89158d717999', 1795837470, 1795837470);
insert into schema_migrations values (37, 'token-old-keys', 'e0f23bea5530189f605809c4f338b3b4d2ff43ac8537a1fbceea765c6bb0a302', 1795837470, 1795837470);
insert into schema_migrations values (38, 'decision-parts', 'e4d650f8ea3f27767fc09783b160b5b9a78096e039778d4c599655492d348399', 1795837470, 1795837470);
insert into schema_migrations values (39, 'log-channels', 'f478dea93cceb54a64e8d0bbda23876c7603283b9da2333d4097c218a3f2c7e9', 1795837470, 1795837470);
insert into schema_migrations values (41, 'caller-versions', '3c00ffb186d9a6abe79aa3f0728fcd7dc9d4f88e36a4a11005ecb1471961fec8', 1795837470, 1795837470);
insert into schema_migrations values (42, 'log-channel-groups', '0ab57e958fff3725370107bd01065fa26dde0bdd23362b0bb70b8c8436276d62', 1795837470, 1795837470);
insert into schema_migrations values (43, 'balance-changes', 'd08ec92a08fcbfc9979937ae6a78b27ea537679aebd84fb2fb9591eedcf033fe', 1795837470, 1795837470);
insert into schema_migrations values (45, 'usage-pending', '29d3ba098e04e6c34349cfd79f058ef2f45acc9596136bc046dc0d57d0aacf9a', 1795837470, 1795837470);
insert into schema_migrations values (46, 'log-times', '1b5d065820e7fa6b25ab9a951d627572329d4247b19b76fe91c0b8d448c9b388', 1795837470, 1795837470);
insert into schema_migrations values (47, 'log-batches-in-order', '69ae6ba10742fe5de1920b20f09449e937b397bcffe57ce25012ba8f7f69e4a1', 1795837470, 1795837470);
insert into schema_migrations values (48, 'quota-leases', 'bc81595fe23ad997d63983d4e74870f1fb104934bce1fa545b6eb9c8926023bd', 1795837470, 1795837470);
insert into schema_migrations values (49, 'log-group-texts', 'b99a8b65cf12f4f1b11a664d252f5a4cdd0e295a42c140da4c728d9bdd7fa422', 1795837470, 1795837470);
insert into schema_migrations values (50, 'known-identities', '4b3c5b51f4b048f2cd19d61f6fd2978aa25c84fb36e6dbd2046289f0de03c867', 1795837470, 1795837470);
insert into schema_migrations values (51, 'idempotent-answers', 'e53ee89de9b2004efa42394269f2c35f1360ab47ccbad41bd4246de545896840', 1795837470, 1795837470);
insert into schema_migrations values (52, 'delivered-tokens', '7766d5655861647e00b823aaf9fbc1d2c48de22ef9a2acfb94d7dd2145269330', 1795837470, 1795837470);
insert into schema_migrations values (53, 'shares', 'b5e0a4233c34edebe314058770cb178716eafb7785d60db5582713ef49b4889a', 1795837470, 1795837470);
insert into schema_migrations values (54, 'log-store', 'eb09a0b28daf5f4574a47a8f910ad6ceb780e0d988f4d1005c5271d42023c313', 1795837470, 1795837470);
insert into schema_migrations values (55, 'drop-log-summaries', 'c35b07d80a591ea130c35bc45cd0365c73b6f5d8d31e93fa949d8c089da12bc2', 1795837470, 1795837470);
insert into users values (1, 'user-1', '', 0, '', 1, 1, '', '', '', '', null, 'default', null, null, 1700000000, '', '', 0, 0);
insert into tokens values (1, 1, 'sample', 'hmac-2', '', 1, 1700000000, -1, 0, '', '', 0, 0, 0, '', '', 0, 0, 0, 0, '', 0);
insert into channels values (1, 1, 'c', '', 1, '', '', '', '', '', '', '', '', 0, 0, '', '', 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, '', '', '', '', '');
insert into ledger_entries values (1, 1, 'allot', 'allot:ayRI8wDgp1cxp_xdFY2PnsPG', 1, 1, 0, 500, '');
insert into ledger_entries values (2, 1, 'grant', 'grant:UnxfDgdx3hcqowEamCt7t1T_', 1, 0, 1000, 0, '');
insert into logs values (1, 1, 1795003200, 2, '', 'user', 'test', 'm', 100, 1, 1, 0, 'a', 1, 0, '', 'ok', 200, 1, 100, 0, 0, 0, 0, 1, 1, 0, 0);
insert into entry_steps values ('h', 'login', 1, '', 5, 99);
insert into kept_bodies values ('a', 1, 1, 9, 4, 2, 9, 0, 1, 'hi', 'yo');
insert into kept_objects values (7, 'file-1', 'file', 1, 1, 1, 3, 9, 0, '{}');
insert into owners values (1, 2, 'live', 0, 0, '');
insert into shares values (1, 1, 0, 0, 0, 0, 0, 0);
insert into shares values (2, 1, 0, 0, 0, 0, 0, 0);
insert into shares values (3, 1, 0, 0, 0, 0, 0, 0);
insert into shares values (1, 1, 1, 1000, 0, 0, 0, 0);
insert into shares values (2, 1, 1, 500, 0, 0, 0, 0);
insert into shares values (3, 1, 1, 400, 0, 0, 0, 0);
insert into checkpoints values ('b', 1, 1, 1, 1, 1, 0, 0, 50, 1795003200, '', 0, 0);
insert into budget_windows values (1, 1, 1794960000, 0);
insert into budgets values (1, 1, 0, 400, 'daily', 1795003200);
insert into log_changes values (1, 0, 0, 0, 0, 0);
CREATE UNIQUE INDEX "users_github_id_unique" on "users" ("github_id") where "github_id" <> '';
CREATE UNIQUE INDEX "users_wechat_id_unique" on "users" ("wechat_id") where "wechat_id" <> '';
CREATE UNIQUE INDEX "users_lark_id_unique" on "users" ("lark_id") where "lark_id" <> '';
CREATE INDEX "users_email_index" on "users" ("email");
CREATE INDEX "sessions_user_id_index" on "sessions" ("user_id");
CREATE INDEX "sessions_expires_at_index" on "sessions" ("expires_at");
CREATE INDEX "login_failures_last_failure_at_index" on "login_failures" ("last_failure_at");
CREATE INDEX "tokens_user_id_id_index" on "tokens" ("user_id", "id");
CREATE INDEX "channel_models_channel_id_index" on "channel_models" ("channel_id");
CREATE INDEX "ledger_entries_user_id_id_index" on "ledger_entries" ("user_id", "id");
CREATE INDEX "ledger_entries_token_id_id_index" on "ledger_entries" ("token_id", "id");
CREATE INDEX "audit_created_at_index" on "audit" ("created_at");
CREATE INDEX "audit_actor_id_id_index" on "audit" ("actor_id", "id");
CREATE UNIQUE INDEX "logs_charged_request_unique" on "logs" ("request_id") where "type" = 2 and "request_id" <> '';
CREATE INDEX "oauth_states_expires_at_index" on "oauth_states" ("expires_at");
CREATE INDEX "request_counts_ends_at_index" on "request_counts" ("ends_at");
CREATE INDEX "email_codes_expires_at_index" on "email_codes" ("expires_at");
CREATE INDEX "outbox_due_at_index" on "outbox" ("due_at");
CREATE INDEX "tokens_with_email_index" on "tokens" ("id") where "email" <> '';
CREATE UNIQUE INDEX "users_oidc_id_unique" on "users" ("oidc_id") where "oidc_id" <> '';
CREATE INDEX "invitations_used_by_index" on "invitations" ("used_by");
CREATE INDEX "passkeys_user_id_index" on "passkeys" ("user_id");
CREATE INDEX "entry_steps_user_id_index" on "entry_steps" ("user_id");
CREATE INDEX "entry_steps_expires_at_index" on "entry_steps" ("expires_at");
CREATE INDEX "audit_kind_id_index" on "audit" ("kind", "id");
CREATE INDEX "audit_object_id_index" on "audit" ("object", "id");
CREATE TRIGGER audit_append_only before update on audit begin select raise(abort, 'rows of the audit trail never change'); end;
CREATE INDEX "kept_bodies_created_at_size_index" on "kept_bodies" ("created_at", "size");
CREATE INDEX "kept_bodies_token_id_index" on "kept_bodies" ("token_id");
CREATE INDEX "channel_decisions_channel_id_id_index" on "channel_decisions" ("channel_id", "id");
CREATE INDEX "kept_objects_user_id_kind_index" on "kept_objects" ("user_id", "kind");
CREATE INDEX "kept_objects_expires_at_index" on "kept_objects" ("expires_at");
CREATE TRIGGER audit_seals_no_update before update on audit_seals begin select raise(abort, 'seals of the audit trail never change'); end;
CREATE TRIGGER audit_seals_no_delete before delete on audit_seals begin select raise(abort, 'seals of the audit trail never change'); end;
CREATE INDEX "batches_user_id_id_index" on "batches" ("user_id", "id");
CREATE INDEX "batches_state_checked_at_index" on "batches" ("state", "checked_at");
CREATE INDEX "batches_batch_id_index" on "batches" ("batch_id");
CREATE INDEX "batches_token_id_created_at_index" on "batches" ("token_id", "created_at");
CREATE UNIQUE INDEX "tokens_old_key_hmac_unique" on "tokens" ("old_key_hmac") where "old_key_hmac" <> '';
CREATE INDEX "idempotent_answers_expires_at_index" on "idempotent_answers" ("expires_at");
CREATE UNIQUE INDEX "owners_request_id_index" on "owners" ("request_id") where "request_id" <> '';
CREATE INDEX "shares_owner_index" on "shares" ("owner") where "owner" <> 0;
CREATE INDEX "shares_kind_account_index" on "shares" ("kind", "account") where "is_scarce" = 1;
CREATE INDEX "checkpoints_owner_index" on "checkpoints" ("owner");
CREATE UNIQUE INDEX logs_refunded_request_unique on logs (request_id) where type = 6 and request_id <> '';
CREATE TRIGGER users_open_account after insert on users begin
    insert into shares (kind, account, owner) values (1, new.id, 0); end;
CREATE TRIGGER users_close_account after delete on users begin
    delete from shares where kind = 1 and account = old.id; end;
CREATE TRIGGER tokens_open_account after insert on tokens begin
    insert into shares (kind, account, owner) values (2, new.id, 0); end;
CREATE TRIGGER tokens_close_account after delete on tokens begin
    delete from shares where kind = 2 and account = old.id; end;
CREATE VIEW user_balances as select pool.account as user_id,
    cast(pool.remaining
  + coalesce((select sum(remaining) from shares where shares.kind = 1 and shares.account = pool.account and shares.owner <> 0
    and shares.owner not in (select id from owners where state = 'batch')), 0) - coalesce(recent.charged, 0) as bigint) as remaining,
    cast(pool.used
  + coalesce((select sum(used) from shares where shares.kind = 1 and shares.account = pool.account and shares.owner <> 0
    and shares.owner not in (select id from owners where state = 'batch')), 0) + coalesce(recent.charged, 0) as bigint) as used,
    cast(pool.requests
  + coalesce((select sum(requests) from shares where shares.kind = 1 and shares.account = pool.account and shares.owner <> 0
    and shares.owner not in (select id from owners where state = 'batch')), 0) + coalesce(recent.requests, 0) as bigint) as requests
    from shares as pool left join (select user_id as account, sum(case logs.type when 2 then 1 else -1 end * logs.quota) as charged, sum(case logs.type when 2 then 1 else 0 end) as requests from owners
  cross join logs where owners.state <> 'batch' and +logs.owner = owners.id and logs.id > owners.applied_id
  and logs.type in (2, 6) group by user_id) as recent on recent.account = pool.account
    where pool.kind = 1 and pool.owner = 0;
CREATE VIEW token_balances as select pool.account as token_id,
    cast(pool.remaining
  + coalesce((select sum(remaining) from shares where shares.kind = 2 and shares.account = pool.account and shares.owner <> 0
    and shares.owner not in (select id from owners where state = 'batch')), 0) - coalesce(recent.charged, 0) as bigint) as remaining,
    cast(pool.used
  + coalesce((select sum(used) from shares where shares.kind = 2 and shares.account = pool.account and shares.owner <> 0
    and shares.owner not in (select id from owners where state = 'batch')), 0) + coalesce(recent.used, 0) as bigint) as used,
    cast(coalesce((select max(last_used_at) from (
      select last_used_at from shares where shares.kind = 2 and shares.account = pool.account
      union all select recent.last_used_at) as uses), 0) as bigint) as last_used_at
    from shares as pool left join (select token_id as account, sum(case logs.type when 2 then 1 else -1 end * logs.token_amount) as charged, sum(case logs.type when 2 then 1 else -1 end * logs.quota) as used, max(logs.created_at) as last_used_at from owners
  cross join logs where owners.state <> 'batch' and +logs.owner = owners.id and logs.id > owners.applied_id
  and logs.type in (2, 6) group by token_id) as recent on recent.account = pool.account
    where pool.kind = 2 and pool.owner = 0;
CREATE VIEW budget_uses as select budgets.id as budget_id, newest.window_start,
    cast(budgets.amount
      - coalesce((select sum(remaining) from shares where shares.kind = 3 and shares.account = newest.id
        and shares.owner not in (select id from owners where state = 'batch')), 0)
      + coalesce(recent.charged, 0) as bigint) as spent
    from budgets join budget_windows as newest on newest.budget_id = budgets.id
    left join (select account, sum(charged) as charged from (select account, charged from
    (select user_budget as account, sum(case logs.type when 2 then 1 else -1 end * logs.quota) as charged from owners
  cross join logs where owners.state <> 'batch' and +logs.owner = owners.id and logs.id > owners.applied_id
  and logs.type in (2, 6) group by user_budget) as of_user_budget where account <> 0 union all select account, charged from
    (select token_budget as account, sum(case logs.type when 2 then 1 else -1 end * logs.quota) as charged from owners
  cross join logs where owners.state <> 'batch' and +logs.owner = owners.id and logs.id > owners.applied_id
  and logs.type in (2, 6) group by token_budget) as of_token_budget where account <> 0) as parts group by account) as recent
      on recent.account = newest.id
    where newest.id = (select max(id) from budget_windows where budget_windows.budget_id = budgets.id);

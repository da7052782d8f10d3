import { describe, expect, it } from 'vitest';
import { isSensitivePath } from '../files/sensitive-names.ts';
import { parseIgnoreFile } from '../files/walk/ignore-file.ts';
import { IgnoreRules } from '../files/walk/ignore-rules.ts';
import { sensitivePatterns } from './sensitive-patterns.ts';

function isIgnored(path: string): boolean {
  const rules = IgnoreRules.none.with({ depth: 0, git: [parseIgnoreFile(sensitivePatterns.join('\n'))], gemini: [] });
  const names = path.split('/');
  return names.some((_, index) =>
    rules?.ignores({ names: names.slice(0, index + 1), isDirectory: index < names.length - 1 }),
  );
}

/** At least one for each expression of `isSensitivePath`. */
const sensitive = [
  ...['.env', 'a/.env.local', 'prod.env', 'a/server.pem', 'x.key', 'x.p8', 'x.p12', 'x.pfx', 'x.pkcs12', 'x.jks'],
  ...['x.keystore', 'x.ppk', 'x.kdb', 'x.kdbx', 'x.keytab', 'x.ovpn', 'x.agekey', 'x.gpg', 'x.tfstate', 'x.tfvars'],
  ...['x.kubeconfig', 'x.tfstate.backup', 'id_rsa', 'a/id_dsa', 'id_ecdsa_sk', 'id_ed25519.old', 'id_xmss'],
  ...['.netrc', '_netrc', '.npmrc', '.pypirc', '.pgpass', '.dockercfg', '.htpasswd', '.s3cfg', '.boto', '.rhosts'],
  ...['.vault-token', '.vault_pass.txt', '.git/config', 'a/.git/config', '.my.cnf', '.mylogin.cnf'],
  ...['.git-credentials', '.dockerconfigjson', '.terraformrc', '.bash_history', 'service-account-1.json'],
  ...['client_secret_2.json', 'gha-creds-a.json', 'application_default_credentials.json', 'creds.json'],
  ...['secrets.yml', 'secret.json', 'kubeconfig', 'authorized_keys', 'shadow', 'gshadow-', '.ssh/config'],
  ...['.gnupg/x', '.envs/x', '.password-store/x', '.azure/x', '.kube/config', '.config/gcloud/x', '.config/op/x'],
  ...['.config/doctl/x', '.aws/credentials', '.aws/sso/cache/x', '.docker/config.json', '.gemini/oauth_creds.json'],
  ...['.codex/auth.json', '.claude/.credentials.json', '.config/gh/hosts.yml', '.config/hub'],
  ...['.config/composer/auth.json', '.config/rclone/rclone.conf', '.cargo/credentials.toml', '.m2/settings.xml'],
  ...['.gradle/gradle.properties', '.terraform.d/credentials.tfrc.json'],
];

describe('sensitivePatterns', () => {
  it.each(sensitive)('hides %s', (path) => {
    expect(isSensitivePath(path)).toBe(true);
    expect(isIgnored(path)).toBe(true);
  });

  it.each(['.env.example', 'id_rsa.pub', 'src/secret-store.ts', 'environment.ts', 'README.md', '.github/x.yml'])(
    'leaves %s',
    (path) => {
      expect(isSensitivePath(path)).toBe(false);
      expect(isIgnored(path)).toBe(false);
    },
  );
});

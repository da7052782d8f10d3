/**
 * What looks like a secret, as patterns of an ignore file: the CLI asks those in the directory that it runs in, by the name
 * that was given and by the one that a link leads to. They say what `isSensitivePath` says, a little more broadly.
 */
export const sensitivePatterns: readonly string[] = [
  ...['.env', '.env.*', '!.env.example', '!.env.sample', '!.env.template', '*.env', '.envs/'],
  ...['*.pem', '*.key', '*.p8', '*.p12', '*.pfx', '*.pkcs12', '*.jks', '*.keystore', '*.ppk', '*.kdb', '*.kdbx'],
  ...['*.keytab', '*.ovpn', '*.agekey', '*.gpg', '*.tfstate', '*.tfstate.backup', '*.tfvars', '*.kubeconfig'],
  ...['id_rsa*', 'id_dsa*', 'id_ecdsa*', 'id_ed25519*', 'id_xmss*', '!id_*.pub'],
  ...['.netrc', '_netrc', '.npmrc', '.pypirc', '.pgpass', '.dockercfg', '.htpasswd', '.s3cfg', '.boto', '.rhosts'],
  ...['.vault-token', '.vault_pass*', '.my.cnf', '.mylogin.cnf', '.git-credentials', '.dockerconfigjson'],
  ...['.terraformrc', '.*history', 'service-account*.json', 'service_account*.json', 'serviceaccount*.json'],
  ...['client_secret*.json', 'client-secret*.json', 'clientsecret*.json', 'gha-creds-*.json'],
  ...[
    '*credentials.json',
    '*creds.json',
    'secret.*',
    'secrets.*',
    'kubeconfig',
    'authorized_keys',
    'shadow',
    'shadow-',
    'gshadow',
    'gshadow-',
  ],
  ...['.git', '.git/', '.ssh/', '.gnupg/', '.password-store/', '.azure/', '.kube/', '.aws/', '.docker/'],
  ...['.config/gcloud/', '.config/op/', '.config/doctl/', '.config/gh/', '.config/hub', '.config/composer/auth.json'],
  ...['.config/rclone/', '.cargo/credentials', '.cargo/credentials.toml', '.m2/settings*.xml', '.terraform.d/'],
  ...['.gradle/gradle.properties', '.gemini/', '.codex/', '.claude/'],
];

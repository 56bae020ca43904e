package io.sluice.tls;

import io.netty.pkitesting.X509Bundle;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** A key manager that sends one certificate, whichever authorities the other side names. */
final class OneCertificate extends X509ExtendedKeyManager {

  private static final String ALIAS = "own";

  private final X509Bundle bundle;

  OneCertificate(X509Bundle bundle) {
    this.bundle = bundle;
  }

  @Override
  public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
    return ALIAS;
  }

  @Override
  public String[] getClientAliases(String keyType, Principal[] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
    return ALIAS;
  }

  @Override
  public String[] getServerAliases(String keyType, Principal[] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
    return ALIAS;
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return bundle.getCertificatePath();
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return bundle.getKeyPair().getPrivate();
  }
}

//! Reads one row at HOST:PORT over TLS with the Rust driver, or tells why it does not.
//!
//! Usage: client HOST PORT CA

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};
use scylla::client::session_builder::SessionBuilder;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

async fn read(node: &str, authority: &str) -> Result<String, Box<dyn Error>> {
    let mut trusted = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(authority)? {
        trusted.add(certificate?)?;
    }
    let tls = ClientConfig::builder()
        .with_root_certificates(trusted)
        .with_no_client_auth();
    let session = SessionBuilder::new()
        .known_node(node)
        .tls_context(Some(Arc::new(tls)))
        .connection_timeout(Duration::from_secs(10))
        .build()
        .await?;
    let rows = session
        .query_unpaged("SELECT key FROM system.local", ())
        .await?
        .into_rows_result()?;
    Ok(rows.single_row::<(String,)>()?.0)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let args: Vec<String> = std::env::args().collect();
    rustls::crypto::ring::default_provider()
        .install_default()
        .expect("one provider");
    match read(&format!("{}:{}", args[1], args[2]), &args[3]).await {
        Ok(key) => println!("read: {key}"),
        Err(error) => println!("refused: {error:?}"),
    }
}

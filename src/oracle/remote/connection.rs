//! The calls to a farm: what is asked, without any decision about the answer.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::Duration;

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::bytestream::byte_stream_client::ByteStreamClient;
use bazel_remote_apis::google::bytestream::{ReadRequest, WriteRequest};
use bazel_remote_apis::google::longrunning::operation;
use bazel_remote_apis::google::longrunning::operations_client::OperationsClient;
use bazel_remote_apis::google::longrunning::{CancelOperationRequest, Operation};
use prost::Message;
use tonic::metadata::{AsciiMetadataKey, AsciiMetadataValue, MetadataMap, MetadataValue};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Code, Request, Status, Streaming};

use super::farm_options::{FarmError, FarmOptions};
use super::input_root::Blob;
use reapi::action_cache_client::ActionCacheClient;
use reapi::content_addressable_storage_client::ContentAddressableStorageClient;
use reapi::execution_client::ExecutionClient;
use reapi::{ActionResult, Digest, ExecuteResponse};

/// How long the server may take to accept a connection, and to answer a call that runs no action.
const CONNECT_PATIENCE: Duration = Duration::from_secs(10);
const CALL_PATIENCE: Duration = Duration::from_secs(30);
/// A connection on which nothing comes for so long is asked whether it lives.
const KEEP_ALIVE: Duration = Duration::from_secs(10);
/// What one call may upload, in bytes. gRPC allows 4 MiB a message unless a server says otherwise.
const BATCH_BYTES: usize = 3 << 20;
/// What one message of a longer upload has, in bytes.
const CHUNK_BYTES: usize = 1 << 20;
/// The longest answer that is read, in bytes.
const MAX_ANSWER: usize = 64 << 20;
/// Who asks, for the farm's own lists.
const METADATA_HEADER: &str = "build.bazel.remote.execution.v2.requestmetadata-bin";

/// A connection to a farm. Clones share it. It is made when it is first needed, and again after it broke.
#[derive(Clone, Debug)]
pub(super) struct FarmConnection {
    channel: Channel,
    instance: String,
    headers: MetadataMap,
}

impl FarmConnection {
    /// The connection that these options describe. Must be called on a thread with a runtime. Nothing is sent yet.
    pub fn new(options: &FarmOptions) -> Result<FarmConnection, FarmError> {
        let endpoint = make_endpoint(options)?;
        let mut headers = MetadataMap::new();
        for (name, value) in &options.headers {
            let unusable = || FarmError::Header { name: name.clone() };
            let key: AsciiMetadataKey =
                name.to_ascii_lowercase().parse().map_err(|_| unusable())?;
            let mut value: AsciiMetadataValue = value.parse().map_err(|_| unusable())?;
            // A token is shown nowhere.
            value.set_sensitive(true);
            headers.append(key, value);
        }
        let tool = reapi::RequestMetadata {
            tool_details: Some(reapi::ToolDetails {
                tool_name: "lop".into(),
                tool_version: env!("CARGO_PKG_VERSION").into(),
            }),
            ..reapi::RequestMetadata::default()
        };
        headers.insert_bin(
            METADATA_HEADER,
            MetadataValue::from_bytes(&tool.encode_to_vec()),
        );
        Ok(FarmConnection {
            channel: endpoint.connect_lazy(),
            instance: options.instance.clone(),
            headers,
        })
    }

    /// The result of an action that the farm remembers.
    pub async fn find_cached_result(
        &self,
        action: &Digest,
    ) -> Result<Option<ActionResult>, Status> {
        let request = reapi::GetActionResultRequest {
            instance_name: self.instance.clone(),
            action_digest: Some(action.clone()),
            inline_stdout: true,
            ..reapi::GetActionResultRequest::default()
        };
        let mut client =
            ActionCacheClient::new(self.channel.clone()).max_decoding_message_size(MAX_ANSWER);
        let answer = in_time(client.get_action_result(self.to_request(request))).await;
        match answer {
            Ok(found) => Ok(Some(found.into_inner())),
            // A farm without a cache has no result in it.
            Err(status) if matches!(status.code(), Code::NotFound | Code::Unimplemented) => {
                Ok(None)
            }
            Err(status) => Err(status),
        }
    }

    /// Uploads what the farm does not have of these.
    pub async fn upload_blobs(&self, blobs: &[Blob]) -> Result<(), Status> {
        let mut client = ContentAddressableStorageClient::new(self.channel.clone());
        let request = reapi::FindMissingBlobsRequest {
            instance_name: self.instance.clone(),
            blob_digests: blobs.iter().map(|blob| blob.digest.clone()).collect(),
            ..reapi::FindMissingBlobsRequest::default()
        };
        let answer = in_time(client.find_missing_blobs(self.to_request(request))).await?;
        let missing = answer.into_inner().missing_blob_digests.into_iter();
        let missing: HashSet<String> = missing.map(|digest| digest.hash).collect();
        // Each once, in the order of their hashes.
        let missing = blobs
            .iter()
            .filter(|blob| missing.contains(&blob.digest.hash));
        let missing = missing.map(|blob| (&blob.digest.hash, blob));
        let missing: BTreeMap<&String, &Blob> = missing.collect();
        let (small, large): (Vec<&Blob>, Vec<&Blob>) = missing
            .into_values()
            .partition(|blob| blob.bytes.len() < BATCH_BYTES);
        for blob in large {
            self.write_blob(blob).await?;
        }
        let mut batch: Vec<&Blob> = Vec::new();
        let mut length = 0;
        for blob in small {
            if length + blob.bytes.len() > BATCH_BYTES {
                self.upload_batch(&std::mem::take(&mut batch)).await?;
                length = 0;
            }
            length += blob.bytes.len();
            batch.push(blob);
        }
        match batch.is_empty() {
            true => Ok(()),
            false => self.upload_batch(&batch).await,
        }
    }

    async fn upload_batch(&self, blobs: &[&Blob]) -> Result<(), Status> {
        let requests = blobs
            .iter()
            .map(|blob| reapi::batch_update_blobs_request::Request {
                digest: Some(blob.digest.clone()),
                data: blob.bytes.to_vec(),
                compressor: 0,
            });
        let request = reapi::BatchUpdateBlobsRequest {
            instance_name: self.instance.clone(),
            requests: requests.collect(),
            ..reapi::BatchUpdateBlobsRequest::default()
        };
        let mut client = ContentAddressableStorageClient::new(self.channel.clone());
        let answer = in_time(client.batch_update_blobs(self.to_request(request))).await?;
        let answers = answer.into_inner().responses.into_iter();
        let mut failed =
            answers.filter_map(|answer| answer.status.filter(|status| status.code != 0));
        match failed.next() {
            None => Ok(()),
            Some(status) => Err(Status::new(status.code.into(), status.message)),
        }
    }

    async fn write_blob(&self, blob: &Blob) -> Result<(), Status> {
        let Digest { hash, size_bytes } = &blob.digest;
        let name = format!("uploads/{hash}/blobs/{hash}/{size_bytes}");
        let name = self.to_resource(&name);
        let chunks: Vec<WriteRequest> = blob
            .bytes
            .chunks(CHUNK_BYTES)
            .enumerate()
            .map(|(number, chunk)| WriteRequest {
                resource_name: name.clone(),
                write_offset: (number * CHUNK_BYTES) as i64,
                finish_write: number * CHUNK_BYTES + chunk.len() == blob.bytes.len(),
                data: chunk.to_vec(),
            })
            .collect();
        let mut request = Request::new(tokio_stream::iter(chunks));
        *request.metadata_mut() = self.headers.clone();
        let mut client = ByteStreamClient::new(self.channel.clone());
        in_time(client.write(request)).await.map(drop)
    }

    /// Reads a blob of the farm.
    pub async fn read_blob(&self, digest: &Digest) -> Result<Vec<u8>, Status> {
        if digest.size_bytes == 0 {
            return Ok(Vec::new());
        }
        let name = format!("blobs/{}/{}", digest.hash, digest.size_bytes);
        let request = ReadRequest {
            resource_name: self.to_resource(&name),
            ..ReadRequest::default()
        };
        let mut client =
            ByteStreamClient::new(self.channel.clone()).max_decoding_message_size(MAX_ANSWER);
        let mut chunks = in_time(client.read(self.to_request(request)))
            .await?
            .into_inner();
        let mut bytes = Vec::new();
        while let Some(chunk) = in_time(chunks.message()).await? {
            bytes.extend_from_slice(&chunk.data);
            if bytes.len() > MAX_ANSWER {
                return Err(Status::data_loss("the answer is longer than 64 MB"));
            }
        }
        match bytes.len() as i64 == digest.size_bytes {
            true => Ok(bytes),
            false => Err(Status::data_loss(
                "the answer has not the length that the farm says",
            )),
        }
    }

    /// Begins an action, whatever the cache knows of it; what becomes of it comes over a stream.
    pub async fn begin_action(&self, action: &Digest) -> Result<Streaming<Operation>, Status> {
        let request = reapi::ExecuteRequest {
            instance_name: self.instance.clone(),
            skip_cache_lookup: true,
            action_digest: Some(action.clone()),
            inline_stdout: true,
            ..reapi::ExecuteRequest::default()
        };
        let mut client =
            ExecutionClient::new(self.channel.clone()).max_decoding_message_size(MAX_ANSWER);
        Ok(client.execute(self.to_request(request)).await?.into_inner())
    }

    /// Cancels an operation. To leave its stream would not end it.
    pub async fn cancel_operation(&self, name: String) -> Result<(), Status> {
        let mut client = OperationsClient::new(self.channel.clone());
        let request = self.to_request(CancelOperationRequest { name });
        in_time(client.cancel_operation(request)).await.map(drop)
    }

    /// The name of a blob, in this instance.
    fn to_resource(&self, name: &str) -> String {
        match self.instance.is_empty() {
            true => name.to_owned(),
            false => format!("{}/{name}", self.instance),
        }
    }

    fn to_request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        *request.metadata_mut() = self.headers.clone();
        request
    }
}

/// What an operation that is done has brought; none before.
pub(super) fn read_operation(operation: Operation) -> Result<Option<ExecuteResponse>, Status> {
    if !operation.done {
        return Ok(None);
    }
    match operation.result {
        Some(operation::Result::Response(any)) => {
            let response = ExecuteResponse::decode(&any.value[..]);
            response
                .map(Some)
                .map_err(|error| Status::data_loss(error.to_string()))
        }
        Some(operation::Result::Error(status)) => {
            Err(Status::new(status.code.into(), status.message))
        }
        None => Err(Status::data_loss("an operation is done and has no result")),
    }
}

/// The answer of a call that runs no action, within its time.
async fn in_time<T>(call: impl Future<Output = Result<T, Status>>) -> Result<T, Status> {
    let answer = tokio::time::timeout(CALL_PATIENCE, call).await;
    answer.unwrap_or_else(|_| Err(Status::unavailable("the server does not answer")))
}

/// Where the server is, and how it is reached.
fn make_endpoint(options: &FarmOptions) -> Result<Endpoint, FarmError> {
    let wrong = |reason: &str| FarmError::Address {
        reason: reason.to_owned(),
    };
    let (scheme, host) = options
        .address
        .split_once("://")
        .ok_or_else(|| wrong("it has no ://"))?;
    let has_tls = match scheme {
        "grpc" => false,
        "grpcs" => true,
        other => return Err(wrong(&format!("nothing is known of {other}"))),
    };
    let uri = format!("{}://{host}", if has_tls { "https" } else { "http" });
    let endpoint = Endpoint::from_shared(uri).map_err(|error| wrong(&error.to_string()))?;
    let endpoint = endpoint
        .connect_timeout(CONNECT_PATIENCE)
        .http2_keep_alive_interval(KEEP_ALIVE)
        .keep_alive_timeout(KEEP_ALIVE)
        .tcp_nodelay(true);
    if !has_tls {
        return match (&options.authorities, &options.identity) {
            (None, None) => Ok(endpoint),
            _ => Err(wrong("certificates are for grpcs://")),
        };
    }
    let mut tls = ClientTlsConfig::new();
    tls = match &options.authorities {
        Some(path) => tls.ca_certificate(Certificate::from_pem(read_certificate(path)?)),
        None => tls.with_native_roots(),
    };
    if let Some((certificate, key)) = &options.identity {
        let (certificate, key) = (read_certificate(certificate)?, read_certificate(key)?);
        tls = tls.identity(Identity::from_pem(certificate, key));
    }
    endpoint
        .tls_config(tls)
        .map_err(|error| wrong(&error.to_string()))
}

fn read_certificate(path: &Path) -> Result<Vec<u8>, FarmError> {
    std::fs::read(path).map_err(|source| FarmError::Certificate {
        path: path.to_path_buf(),
        source,
    })
}

//! A server of the Remote Execution API in this process. It runs actions for real, in directories of its own, unless it is told to behave otherwise.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::pin::Pin;
use std::process::Command as Process;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::bytestream as stream;
use bazel_remote_apis::google::longrunning as operations;
use bazel_remote_apis::google::protobuf::{Any, Empty, Timestamp};
use prost::Message;
use reapi::action_cache_server::{ActionCache, ActionCacheServer};
use reapi::content_addressable_storage_server::{
    ContentAddressableStorage, ContentAddressableStorageServer,
};
use reapi::execution_server::{Execution, ExecutionServer};
use reapi::{Action, ActionResult, Command, Digest, Directory, ExecuteResponse};
use tokio_stream::Stream;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Code, Request, Response, Status, Streaming};

/// How the server answers questions for actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conduct {
    /// As it should.
    Works,
    /// With this error, as long as it has not said so this often.
    Refuses(Code, usize),
    /// That every test has ended with this status.
    Claims(i32),
    /// It ends the stream before it has an answer.
    Cuts,
    /// Never; it only says that it has begun.
    Hangs,
    /// With other words than those of the script.
    Garbles,
    /// With a very long error.
    Chats,
}

/// An action that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedAction {
    pub skips_cache: bool,
    pub timeout: i64,
    pub salt: Vec<u8>,
    pub platform: Vec<(String, String)>,
    pub instance: String,
    pub token: Option<String>,
}

/// What the server knows.
#[derive(Debug, Default)]
pub struct Seen {
    conduct: Option<Conduct>,
    blobs: HashMap<String, Vec<u8>>,
    results: HashMap<String, ActionResult>,
    pub asked: Vec<AskedAction>,
    pub cancelled: Vec<String>,
    /// How often the cache was asked.
    pub looked_up: usize,
    /// How often a result was in it.
    pub recalled: usize,
    /// How many blobs came over a stream of their own.
    pub streamed: usize,
}

/// The server; it ends when this is dropped, with all connections.
pub struct FakeFarm {
    pub address: String,
    core: FarmCore,
    end: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Clone)]
struct FarmCore {
    shared: Arc<(Mutex<Seen>, Condvar)>,
}

impl FakeFarm {
    pub fn start(conduct: Conduct) -> FakeFarm {
        let core = FarmCore {
            shared: Arc::default(),
        };
        core.seen().conduct = Some(conduct);
        let (end, ended) = tokio::sync::oneshot::channel();
        let (tell, told) = mpsc::channel();
        let served = core.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            let runtime = runtime.expect("a runtime");
            runtime.block_on(async {
                let address = "127.0.0.1:0".parse().expect("an address");
                let incoming = TcpIncoming::bind(address).expect("a port");
                tell.send(incoming.local_addr().expect("its port"))
                    .expect("told");
                let server = Server::builder()
                    .add_service(ExecutionServer::new(served.clone()))
                    .add_service(ActionCacheServer::new(served.clone()))
                    .add_service(ContentAddressableStorageServer::new(served.clone()))
                    .add_service(stream::byte_stream_server::ByteStreamServer::new(
                        served.clone(),
                    ))
                    .add_service(operations::operations_server::OperationsServer::new(served))
                    .serve_with_incoming(incoming);
                tokio::select! {
                    _ = server => {}
                    _ = ended => {}
                }
            });
            runtime.shutdown_background();
        });
        let address = told.recv().expect("a port");
        FakeFarm {
            address: format!("grpc://{address}"),
            core,
            end: Some(end),
            thread: Some(thread),
        }
    }

    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        self.core.seen()
    }

    pub fn behave(&self, conduct: Conduct) {
        self.seen().conduct = Some(conduct);
    }

    /// Waits until this is so.
    pub fn await_seen(&self, what: &str, is_so: impl Fn(&Seen) -> bool) {
        let (seen, changed) = &*self.core.shared;
        let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        let patience = Duration::from_secs(60);
        let (_seen, waited) = changed
            .wait_timeout_while(seen, patience, |seen| !is_so(seen))
            .unwrap_or_else(PoisonError::into_inner);
        assert!(!waited.timed_out(), "it never came to this: {what}");
    }

    /// The server is gone, as if it had been killed.
    pub fn kill(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            thread.join().expect("it ends");
        }
    }
}

impl Drop for FakeFarm {
    fn drop(&mut self) {
        self.kill();
    }
}

impl FarmCore {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, change: impl FnOnce(&mut Seen)) {
        change(&mut self.seen());
        self.shared.1.notify_all();
    }

    fn blob(&self, digest: Option<&Digest>) -> Result<Vec<u8>, Status> {
        let digest = digest.ok_or_else(|| Status::invalid_argument("no digest"))?;
        let found = self.seen().blobs.get(&digest.hash).cloned();
        found.ok_or_else(|| Status::failed_precondition(format!("no blob {}", digest.hash)))
    }

    fn message<M: Message + Default>(&self, digest: Option<&Digest>) -> Result<M, Status> {
        let bytes = self.blob(digest)?;
        M::decode(&bytes[..]).map_err(|error| Status::invalid_argument(error.to_string()))
    }

    /// Puts the files of an action into a directory.
    fn stage(&self, digest: Option<&Digest>, place: &Path) -> Result<(), Status> {
        let directory: Directory = self.message(digest)?;
        for file in &directory.files {
            let path = place.join(&file.name);
            fs::write(&path, self.blob(file.digest.as_ref())?)?;
            let mode = if file.is_executable { 0o755 } else { 0o644 };
            fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
        }
        for link in &directory.symlinks {
            symlink(&link.target, place.join(&link.name))?;
        }
        for below in &directory.directories {
            let path = place.join(&below.name);
            fs::create_dir(&path)?;
            self.stage(below.digest.as_ref(), &path)?;
        }
        Ok(())
    }

    /// Runs an action.
    fn run(&self, action: &Action, conduct: Conduct) -> Result<ActionResult, Status> {
        let command: Command = self.message(action.command_digest.as_ref())?;
        let place = tempfile::tempdir()?;
        self.stage(action.input_root_digest.as_ref(), place.path())?;
        let mut process = Process::new(&command.arguments[0]);
        process
            .args(&command.arguments[1..])
            .env_clear()
            .env("FAKE_FARM", "yes")
            .current_dir(&place);
        for variable in &command.environment_variables {
            process.env(&variable.name, &variable.value);
        }
        let done = process.output()?;
        let printed = match conduct {
            Conduct::Claims(status) => {
                let text = String::from_utf8_lossy(&done.stdout).into_owned();
                let lines = text
                    .split_inclusive('\n')
                    .map(|line| match line.find(" exit ") {
                        Some(at) if line.starts_with("lop-") => {
                            format!("{} exit {status}\n", &line[..at])
                        }
                        _ => line.to_owned(),
                    });
                lines.collect::<String>().into_bytes()
            }
            Conduct::Garbles => b"Killed\n".to_vec(),
            _ => done.stdout,
        };
        let time = |seconds| Some(Timestamp { seconds, nanos: 0 });
        let mut result = ActionResult {
            exit_code: done.status.code().unwrap_or(1),
            execution_metadata: Some(reapi::ExecutedActionMetadata {
                worker: "fake worker".into(),
                worker_start_timestamp: time(100),
                worker_completed_timestamp: time(101),
                ..Default::default()
            }),
            ..ActionResult::default()
        };
        // As many servers do with what is long.
        match printed.len() < 200 {
            true => result.stdout_raw = printed,
            false => {
                let digest = digest_of(&printed);
                self.note(|seen| drop(seen.blobs.insert(digest.hash.clone(), printed)));
                result.stdout_digest = Some(digest);
            }
        }
        Ok(result)
    }
}

fn digest_of(bytes: &[u8]) -> Digest {
    use sha2::Digest as _;
    let hash = sha2::Sha256::digest(bytes);
    Digest {
        hash: hash.iter().map(|byte| format!("{byte:02x}")).collect(),
        size_bytes: bytes.len() as i64,
    }
}

type Steps<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl Execution for FarmCore {
    type ExecuteStream = Steps<operations::Operation>;
    type WaitExecutionStream = Steps<operations::Operation>;

    async fn execute(
        &self,
        request: Request<reapi::ExecuteRequest>,
    ) -> Result<Response<Self::ExecuteStream>, Status> {
        let token = request.metadata().get("authorization");
        let token = token.and_then(|token| Some(token.to_str().ok()?.to_owned()));
        let request = request.into_inner();
        let action: Action = self.message(request.action_digest.as_ref())?;
        let platform = action.platform.clone().unwrap_or_default().properties;
        let asked = AskedAction {
            skips_cache: request.skip_cache_lookup,
            timeout: action.timeout.as_ref().map_or(0, |timeout| timeout.seconds),
            salt: action.salt.clone(),
            platform: platform
                .into_iter()
                .map(|one| (one.name, one.value))
                .collect(),
            instance: request.instance_name,
            token,
        };
        let mut conduct = Conduct::Works;
        let mut number = 0;
        self.note(|seen| {
            seen.asked.push(asked);
            number = seen.asked.len();
            conduct = seen.conduct.unwrap_or(Conduct::Works);
        });
        let begun = operations::Operation {
            name: format!("operation {number}"),
            ..Default::default()
        };
        match conduct {
            Conduct::Refuses(code, most) if number <= most => {
                return Err(Status::new(code, "not now"));
            }
            Conduct::Chats => return Err(Status::internal("a word \t".repeat(1000))),
            Conduct::Cuts => return Ok(Response::new(Box::pin(tokio_stream::iter([Ok(begun)])))),
            Conduct::Hangs => {
                let (send, steps) = tokio::sync::mpsc::channel(1);
                send.send(Ok(begun)).await.expect("it has room");
                tokio::spawn(async move { send.closed().await });
                let steps = tokio_stream::wrappers::ReceiverStream::new(steps);
                return Ok(Response::new(Box::pin(steps)));
            }
            _ => {}
        }
        let core = self.clone();
        let result = tokio::task::spawn_blocking(move || core.run(&action, conduct)).await;
        let result = result.expect("no panic")?;
        let digest = request.action_digest.unwrap_or_default();
        self.note(|seen| drop(seen.results.insert(digest.hash, result.clone())));
        let response = ExecuteResponse {
            result: Some(result),
            ..ExecuteResponse::default()
        };
        let done = operations::Operation {
            done: true,
            result: Some(operations::operation::Result::Response(Any {
                value: response.encode_to_vec(),
                ..Any::default()
            })),
            ..begun.clone()
        };
        Ok(Response::new(Box::pin(tokio_stream::iter([
            Ok(begun),
            Ok(done),
        ]))))
    }

    async fn wait_execution(
        &self,
        _: Request<reapi::WaitExecutionRequest>,
    ) -> Result<Response<Self::WaitExecutionStream>, Status> {
        Err(Status::unimplemented("not here"))
    }
}

#[tonic::async_trait]
impl ActionCache for FarmCore {
    async fn get_action_result(
        &self,
        request: Request<reapi::GetActionResultRequest>,
    ) -> Result<Response<ActionResult>, Status> {
        let digest = request.into_inner().action_digest.unwrap_or_default();
        let found = self.seen().results.get(&digest.hash).cloned();
        self.note(|seen| {
            seen.looked_up += 1;
            seen.recalled += usize::from(found.is_some());
        });
        found
            .map(Response::new)
            .ok_or_else(|| Status::not_found("no result"))
    }

    async fn update_action_result(
        &self,
        _: Request<reapi::UpdateActionResultRequest>,
    ) -> Result<Response<ActionResult>, Status> {
        Err(Status::unimplemented("not here"))
    }
}

#[tonic::async_trait]
impl ContentAddressableStorage for FarmCore {
    type GetTreeStream = Steps<reapi::GetTreeResponse>;
    type GetChunkMappingStream = Steps<reapi::GetChunkMappingResponse>;

    async fn find_missing_blobs(
        &self,
        request: Request<reapi::FindMissingBlobsRequest>,
    ) -> Result<Response<reapi::FindMissingBlobsResponse>, Status> {
        let digests = request.into_inner().blob_digests.into_iter();
        let seen = self.seen();
        let missing = digests.filter(|digest| !seen.blobs.contains_key(&digest.hash));
        Ok(Response::new(reapi::FindMissingBlobsResponse {
            missing_blob_digests: missing.collect(),
        }))
    }

    async fn batch_update_blobs(
        &self,
        request: Request<reapi::BatchUpdateBlobsRequest>,
    ) -> Result<Response<reapi::BatchUpdateBlobsResponse>, Status> {
        let mut responses = Vec::new();
        for blob in request.into_inner().requests {
            let digest = digest_of(&blob.data);
            assert_eq!(Some(&digest), blob.digest.as_ref(), "a wrong digest");
            responses.push(reapi::batch_update_blobs_response::Response {
                digest: Some(digest.clone()),
                status: None,
            });
            self.note(|seen| drop(seen.blobs.insert(digest.hash, blob.data)));
        }
        Ok(Response::new(reapi::BatchUpdateBlobsResponse { responses }))
    }

    async fn batch_read_blobs(
        &self,
        _: Request<reapi::BatchReadBlobsRequest>,
    ) -> Result<Response<reapi::BatchReadBlobsResponse>, Status> {
        Err(Status::unimplemented("not here"))
    }

    async fn get_tree(
        &self,
        _: Request<reapi::GetTreeRequest>,
    ) -> Result<Response<Self::GetTreeStream>, Status> {
        Err(Status::unimplemented("not here"))
    }

    async fn split_blob(
        &self,
        _: Request<reapi::SplitBlobRequest>,
    ) -> Result<Response<reapi::SplitBlobResponse>, Status> {
        Err(Status::unimplemented("not here"))
    }

    async fn get_chunk_mapping(
        &self,
        _: Request<reapi::GetChunkMappingRequest>,
    ) -> Result<Response<Self::GetChunkMappingStream>, Status> {
        Err(Status::unimplemented("not here"))
    }

    async fn register_chunk_mapping(
        &self,
        _: Request<Streaming<reapi::RegisterChunkMappingRequest>>,
    ) -> Result<Response<reapi::RegisterChunkMappingResponse>, Status> {
        Err(Status::unimplemented("not here"))
    }

    async fn splice_blob(
        &self,
        _: Request<reapi::SpliceBlobRequest>,
    ) -> Result<Response<reapi::SpliceBlobResponse>, Status> {
        Err(Status::unimplemented("not here"))
    }
}

#[tonic::async_trait]
impl stream::byte_stream_server::ByteStream for FarmCore {
    type ReadStream = Steps<stream::ReadResponse>;

    async fn read(
        &self,
        request: Request<stream::ReadRequest>,
    ) -> Result<Response<Self::ReadStream>, Status> {
        let name = request.into_inner().resource_name;
        let hash = name.split('/').rev().nth(1).unwrap_or_default().to_owned();
        let found = self.seen().blobs.get(&hash).cloned();
        let bytes = found.ok_or_else(|| Status::not_found("no blob"))?;
        let chunks: Vec<_> = bytes
            .chunks(100_000)
            .map(|chunk| {
                Ok(stream::ReadResponse {
                    data: chunk.to_vec(),
                })
            })
            .collect();
        Ok(Response::new(Box::pin(tokio_stream::iter(chunks))))
    }

    async fn write(
        &self,
        request: Request<Streaming<stream::WriteRequest>>,
    ) -> Result<Response<stream::WriteResponse>, Status> {
        let mut chunks = request.into_inner();
        let mut bytes = Vec::new();
        while let Some(chunk) = chunks.message().await? {
            assert_eq!(chunk.write_offset, bytes.len() as i64);
            bytes.extend(chunk.data);
        }
        let committed_size = bytes.len() as i64;
        self.note(|seen| {
            seen.streamed += 1;
            seen.blobs.insert(digest_of(&bytes).hash, bytes);
        });
        Ok(Response::new(stream::WriteResponse { committed_size }))
    }

    async fn query_write_status(
        &self,
        _: Request<stream::QueryWriteStatusRequest>,
    ) -> Result<Response<stream::QueryWriteStatusResponse>, Status> {
        Err(Status::unimplemented("not here"))
    }
}

#[tonic::async_trait]
impl operations::operations_server::Operations for FarmCore {
    async fn cancel_operation(
        &self,
        request: Request<operations::CancelOperationRequest>,
    ) -> Result<Response<Empty>, Status> {
        let name = request.into_inner().name;
        self.note(|seen| seen.cancelled.push(name));
        Ok(Response::new(Empty::default()))
    }

    async fn list_operations(
        &self,
        _: Request<operations::ListOperationsRequest>,
    ) -> Result<Response<operations::ListOperationsResponse>, Status> {
        Err(Status::unimplemented("not here"))
    }

    async fn get_operation(
        &self,
        _: Request<operations::GetOperationRequest>,
    ) -> Result<Response<operations::Operation>, Status> {
        Err(Status::unimplemented("not here"))
    }

    async fn delete_operation(
        &self,
        _: Request<operations::DeleteOperationRequest>,
    ) -> Result<Response<Empty>, Status> {
        Err(Status::unimplemented("not here"))
    }

    async fn wait_operation(
        &self,
        _: Request<operations::WaitOperationRequest>,
    ) -> Result<Response<operations::Operation>, Status> {
        Err(Status::unimplemented("not here"))
    }
}
